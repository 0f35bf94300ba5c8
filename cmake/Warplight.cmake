# SPDX-License-Identifier: Apache-2.0
# What every target of the project shares: language level, warnings, sanitizers.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(WARPLIGHT_CCACHE ccache)
if(WARPLIGHT_CCACHE)
  # PCH and ccache agree only when ccache is told what precompiled headers do.
  set(WARPLIGHT_CCACHE_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${WARPLIGHT_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${WARPLIGHT_CCACHE_LAUNCHER})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${WARPLIGHT_CCACHE_LAUNCHER})
endif()

add_library(warplight_options INTERFACE)
if(MSVC)
  target_compile_options(warplight_options INTERFACE /W4 /WX /permissive- /utf-8)
else()
  target_compile_options(warplight_options INTERFACE -Wall -Wextra -Werror -fvisibility-inlines-hidden)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC 12 reports these in its own standard library at -O2 (PR 105329, 105651).
    target_compile_options(warplight_options INTERFACE -Wno-restrict -Wno-error=maybe-uninitialized
      -Wno-error=array-bounds -Wno-error=stringop-overflow)
  endif()
endif()
if(WARPLIGHT_SANITIZE)
  add_compile_options(-fsanitize=${WARPLIGHT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${WARPLIGHT_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # A driver's functions are called through types whose enumerations have other names, but the same ABI; and a driver
    # may answer with a number that the header at hand does not know.
    add_compile_options(-fno-sanitize=function,enum)
  endif()
endif()

# warplight_layer(NAME SOURCES… ) — one layer of the core: a static library.
function(warplight_layer name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/core/include> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/core>)
  target_link_libraries(${name} PRIVATE warplight_options PUBLIC ${ARG_LINKS} PRIVATE ${ARG_PRIVATE_LINKS})
endfunction()

# warplight_test(NAME SOURCES… LINKS …) — a Qt Test program, run by ctest with no display. Its results are also kept
# as a file, tests/results/NAME.xml, for tests/device_interface/table.py.
function(warplight_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LINKS;LABELS;ENVIRONMENT" ${ARGN})
  find_package(Qt6 6.4 REQUIRED COMPONENTS Test)
  # Where the tests lie would be part of every command line, and another checkout find nothing in ccache.
  set_property(TARGET Qt6::Test PROPERTY INTERFACE_COMPILE_DEFINITIONS QT_TESTLIB_LIB)
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  target_link_libraries(${name} PRIVATE warplight_options ${ARG_LINKS} Qt6::Test)
  foreach(source ${ARG_SOURCES})
    file(STRINGS ${source} mentions REGEX WARPLIGHT_SOURCE_DIR)
    if(mentions)
      target_compile_definitions(${name} PRIVATE WARPLIGHT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    endif()
  endforeach()
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/tests/results")
  add_test(NAME ${name}
    COMMAND ${name} -o "${PROJECT_BINARY_DIR}/tests/results/${name}.xml,junitxml" -o -,txt)
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  set(sanitizer)
  if(name IN_LIST WARPLIGHT_THREAD_TESTS)
    list(APPEND ARG_LABELS threads)
  endif()
  if(WARPLIGHT_SANITIZE STREQUAL "thread")
    set(sanitizer "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/thread.supp:halt_on_error=1")
  elseif(WARPLIGHT_SANITIZE)
    # Tests ask for absurd sizes on purpose, and LLVM's vectors are filled by code that is not instrumented.
    set(sanitizer "ASAN_OPTIONS=allocator_may_return_null=1:detect_container_overflow=0"
      "UBSAN_OPTIONS=print_stacktrace=1")
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}"
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;${sanitizer};${ARG_ENVIRONMENT}")
endfunction()

# warplight_test_again(NAME SUFFIX VARIABLE=VALUE…) — the same program once more in another environment.
function(warplight_test_again name suffix)
  add_test(NAME ${name}_${suffix} COMMAND ${name})
  foreach(property ENVIRONMENT TIMEOUT LABELS)
    get_test_property(${name} ${property} value)
    list(REMOVE_ITEM value threads) # once is enough
    set_tests_properties(${name}_${suffix} PROPERTIES ${property} "${value}")
  endforeach()
  set_property(TEST ${name}_${suffix} APPEND PROPERTY ENVIRONMENT ${ARGN})
endfunction()
