# Warnings are errors; sanitizers, the faster linker and the compiler cache are chosen here alone.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_compile_options(-Wthread-safety)
elseif(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlapping copies in std::string where there are none (its bug 105651).
  add_compile_options(-Wno-restrict)
endif()

if(MUSTER_SANITIZE)
  add_compile_options(-fsanitize=${MUSTER_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${MUSTER_SANITIZE})
endif()
if(MUSTER_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "MUSTER_FUZZ needs clang++: configure with `cmake --preset fuzz`.")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()

add_library(muster_sanitizer_defaults OBJECT ${CMAKE_SOURCE_DIR}/cmake/sanitizer_defaults.cc)
target_compile_options(muster_sanitizer_defaults PRIVATE -Wno-pedantic)

# What every program of Muster is linked with, beside what it asks for.
function(muster_program target)
  if(MUSTER_SANITIZE AND NOT MUSTER_FUZZ)
    target_link_libraries(${target} PRIVATE muster_sanitizer_defaults)
  endif()
endfunction()
