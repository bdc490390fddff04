# muster_folder(NAME [CORE] [THREADED] USES folder... LIBRARIES library...)
#
# Builds src/NAME into one library and its tests and micro-benchmarks into one program each:
#   thing.h, thing.cc   -> library  muster_NAME
#   thing_test.cc       -> NAME_test   (one ctest case per GoogleTest case, label "unit"), with all of
#                          testing/, what only tests use
#   thing_bench.cc      -> NAME_bench  (run small in every test run, label "bench")
#   main.cc             -> program "muster" (app only)
# A folder without sources is an interface library. Files are globbed: adding one needs no edit here.
#
# CORE      its code may not name a thread, clock, lock, file or socket (scripts/check_layers.py).
# THREADED  its tests start threads, so they run under ThreadSanitizer too.
include(GoogleTest)

function(muster_folder name)
  cmake_parse_arguments(ARG "CORE;THREADED" "" "USES;LIBRARIES" ${ARGN})
  set(dir ${CMAKE_SOURCE_DIR}/src/${name})
  file(GLOB_RECURSE all CONFIGURE_DEPENDS ${dir}/*.cc)
  set(tests ${all})
  set(benches ${all})
  list(FILTER tests INCLUDE REGEX "(_test|/testing/.*)\\.cc$")
  list(FILTER benches INCLUDE REGEX "_bench\\.cc$")
  set(sources ${all})
  list(FILTER sources EXCLUDE REGEX "(_test|_bench|/main|/testing/.*)\\.cc$")

  set(needs "")
  foreach(folder IN LISTS ARG_USES)
    list(APPEND needs muster_${folder})
  endforeach()
  foreach(library IN LISTS ARG_LIBRARIES)
    list(APPEND needs muster_outside_${library})
  endforeach()

  if(sources)
    add_library(muster_${name} STATIC ${sources})
    target_include_directories(muster_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(muster_${name} PUBLIC ${needs})
    set_target_properties(muster_${name} PROPERTIES EXCLUDE_FROM_ALL ${MUSTER_FUZZ})
    muster_link_test(${name})
  else()
    add_library(muster_${name} INTERFACE)
    target_include_directories(muster_${name} INTERFACE ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(muster_${name} INTERFACE ${needs})
  endif()
  set_property(GLOBAL APPEND PROPERTY MUSTER_FOLDERS ${name})
  set_property(GLOBAL PROPERTY MUSTER_FOLDER_USES_${name} "${ARG_USES}")

  set(is_tested ${MUSTER_TESTS})
  if(MUSTER_SANITIZE STREQUAL "thread" AND NOT ARG_THREADED)
    set(is_tested OFF)
  endif()
  if(tests AND is_tested)
    add_executable(${name}_test ${tests})
    muster_program(${name}_test)
    target_link_libraries(${name}_test PRIVATE muster_${name})
    muster_gtest(${name}_test ${name} unit)
  endif()
  # Not under ThreadSanitizer: what runs in threads is tested there, and RocksDB, which is built without
  # it, gives false alarms when driven hard.
  if(benches AND is_tested AND NOT MUSTER_SANITIZE STREQUAL "thread")
    add_executable(${name}_bench ${benches})
    muster_program(${name}_bench)
    target_link_libraries(${name}_bench PRIVATE muster_${name} benchmark::benchmark_main)
    target_compile_definitions(${name}_bench PRIVATE MUSTER_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    muster_test(bench/${name} bench ${name}_bench --benchmark_min_time=0.001)
  endif()

  if(EXISTS ${dir}/main.cc AND NOT MUSTER_FUZZ)
    add_executable(muster ${dir}/main.cc)
    muster_program(muster)
    target_link_libraries(muster PRIVATE muster_${name})
  endif()
endfunction()

# One ctest case, named after the preset that it was built by where that isn't the usual one.
function(muster_test name label)
  set(name ${MUSTER_TEST_PREFIX}${name})
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 900)
endfunction()

# Every case of a GoogleTest program as one ctest case, `suite`/Suite.Case.
function(muster_gtest target suite label)
  target_link_libraries(${target} PRIVATE GTest::gtest_main GTest::gmock rapidcheck)
  target_compile_definitions(${target} PRIVATE MUSTER_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  gtest_discover_tests(${target} TEST_PREFIX "${MUSTER_TEST_PREFIX}${suite}/" DISCOVERY_MODE PRE_TEST
                       DISCOVERY_TIMEOUT 120 NO_PRETTY_VALUES
                       PROPERTIES LABELS ${label} TIMEOUT 900)
endfunction()

# The whole library `name`, every object of it, linked with what it declares and nothing else.
function(muster_link_test name)
  if(NOT MUSTER_CHECKS)
    return()
  endif()
  add_executable(${name}_links ${CMAKE_SOURCE_DIR}/cmake/links_main.cc)
  muster_program(${name}_links)
  target_link_libraries(${name}_links PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,muster_${name}>)
  muster_test(links/${name} check ${name}_links)
endfunction()
