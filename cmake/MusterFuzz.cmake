# muster_fuzz_targets(): every tests/fuzz/NAME_fuzz.cc becomes the program NAME_fuzz, linked with the
# folders that it includes, and the ctest case fuzz/NAME, which runs it for a few seconds on its
# corpus, tests/fuzz/corpus/NAME/.
function(muster_fuzz_targets)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/fuzz/*_fuzz.cc)
  get_property(folders GLOBAL PROPERTY MUSTER_FOLDERS)
  foreach(source IN LISTS sources)
    get_filename_component(target ${source} NAME_WE)
    string(REGEX REPLACE "_fuzz$" "" name ${target})
    add_executable(${target} ${source})
    target_compile_definitions(${target} PRIVATE MUSTER_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    foreach(folder IN LISTS folders)
      file(STRINGS ${source} included REGEX "^#include \"${folder}/" LIMIT_COUNT 1)
      if(included)
        target_link_libraries(${target} PRIVATE muster_${folder})
      endif()
    endforeach()
    muster_test(fuzz/${name} fuzz ${CMAKE_SOURCE_DIR}/scripts/fuzz_one.sh $<TARGET_FILE:${target}>
                ${CMAKE_SOURCE_DIR}/tests/fuzz/corpus/${name} 5)
  endforeach()
endfunction()
