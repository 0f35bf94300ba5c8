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

# Each version of a compiler warns of something else: a warning ends the build only with those that the checks run with.
if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
   OR (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 20))
  set(checked_compiler ON)
else()
  set(checked_compiler OFF)
endif()
option(WARPLIGHT_WERROR "Warnings end the build" ${checked_compiler})

add_library(warplight_options INTERFACE)
if(MSVC)
  target_compile_options(warplight_options INTERFACE /W4 $<$<BOOL:${WARPLIGHT_WERROR}>:/WX> /permissive- /utf-8)
else()
  target_compile_options(warplight_options INTERFACE -Wall -Wextra $<$<BOOL:${WARPLIGHT_WERROR}>:-Werror>
    -fvisibility-inlines-hidden)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # What GCC guesses after inlining its own standard library, it guesses wrong: a std::string's inner buffer counts as
    # out of bounds or not set (PR 105329, 105651, 105562). clang, clang-tidy and the sanitizers judge these.
    target_compile_options(warplight_options INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow
      -Wno-maybe-uninitialized)
    if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
      # From a function's signature: whatever takes and returns a reference is under suspicion. Not in -Wall since 14.
      target_compile_options(warplight_options INTERFACE -Wno-dangling-reference)
    endif()
  endif()
endif()
if(WIN32)
  # Before any header: some of the standard library's include Windows'. Windows 10 is the oldest system that is meant.
  target_compile_definitions(warplight_options INTERFACE NOMINMAX WIN32_LEAN_AND_MEAN _WIN32_WINNT=0x0A00
    UNICODE _UNICODE)
  # As on Linux: a thread that waits for a stream runs kernels itself, if its stack is large enough (kStackToHelp).
  target_link_options(warplight_options INTERFACE "LINKER:$<IF:$<BOOL:${MSVC}>,/STACK:8388608,--stack=8388608>")
endif()
if(MINGW)
  # Its own <filesystem>, over that of GCC: paths of other letters than Latin ones are read there.
  include_directories(BEFORE SYSTEM "${CMAKE_CURRENT_LIST_DIR}/mingw-w64")
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

# What nearly every test includes.
set(WARPLIGHT_STANDARD_HEADERS <algorithm> <atomic> <chrono> <cstdint> <cstring> <filesystem> <functional> <map> <memory>
  <mutex> <optional> <string> <string_view> <thread> <utility> <vector>)

# For builds from nothing: eight files of a library are compiled as one, which takes less than half the time. What
# developers build has each file alone, so that each includes what it needs, and little is compiled after a change.
option(WARPLIGHT_JOIN_SOURCES "Compile several files of a library at once" OFF)

# warplight_join(TARGET [ALONE FILES…]) — lets its files be compiled at once, but for some: their own names are other
# files' names as well.
function(warplight_join target)
  cmake_parse_arguments(ARG "" "" "ALONE" ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${WARPLIGHT_JOIN_SOURCES})
  if(WIN32) # its header has macros with names of ours
    get_target_property(sources ${target} SOURCES)
    foreach(source ${sources})
      if(source MATCHES "\\.cpp$")
        file(STRINGS ${source} mentions REGEX "^#include [<\"].*windows.*\\.h")
        if(mentions)
          list(APPEND ARG_ALONE ${source})
        endif()
      endif()
    endforeach()
  endif()
  if(ARG_ALONE)
    set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# warplight_layer(NAME SOURCES… [ALONE FILES…]) — one layer of the core: a static library.
function(warplight_layer name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;PRIVATE_LINKS;ALONE" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  warplight_join(${name} ALONE ${ARG_ALONE})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/core/include> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/core>)
  target_link_libraries(${name} PRIVATE warplight_options PUBLIC ${ARG_LINKS} PRIVATE ${ARG_PRIVATE_LINKS})
endfunction()

# Programs whose options agree share one precompiled header: reading Qt's and the standard library's headers is two
# thirds of what a test costs. warplight_shared_headers(NAME LINKS … HEADERS … OPTIONS …) makes it, for tests to reuse.
function(warplight_shared_headers name)
  cmake_parse_arguments(ARG "" "" "LINKS;HEADERS;OPTIONS" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/tests/shared_headers.cpp")
  target_link_libraries(${name} PRIVATE warplight_options ${ARG_LINKS})
  target_compile_options(${name} PRIVATE ${WARPLIGHT_TEST_OPTIONS} ${ARG_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
endfunction()

# Tests run once or twice; what they test is optimised as it is shipped. GCC takes a third less time with -Og than with
# -O1; without any optimisation it takes as long, for it writes much more code. clang, which writes the checks of the
# sanitizers, takes less than half the time without. mingw-w64's sqrt rounds twice: the processor's instruction does
# not, and is taken where nobody asks for errno.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(WARPLIGHT_TEST_OPTIONS $<$<CONFIG:Release>:-Og> $<$<BOOL:${WIN32}>:-fno-math-errno>)
elseif(WARPLIGHT_SANITIZE)
  set(WARPLIGHT_TEST_OPTIONS -O0)
elseif(NOT MSVC)
  set(WARPLIGHT_TEST_OPTIONS $<$<CONFIG:Release>:-O1>)
endif()
if(NOT MSVC)
  set(WARPLIGHT_COMPUTING_OPTIONS -O1)
endif()

# What the compiler defines by itself, for moc.
set(moc_macros)
if(MSVC)
  set(moc_macros -D_WIN32 -D_MSC_VER=${MSVC_VERSION})
else()
  file(WRITE "${PROJECT_BINARY_DIR}/empty.cpp" "")
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -dM -E "${PROJECT_BINARY_DIR}/empty.cpp"
    OUTPUT_FILE "${PROJECT_BINARY_DIR}/moc_macros.h" COMMAND_ERROR_IS_FATAL ANY)
  set(moc_macros --include "${PROJECT_BINARY_DIR}/moc_macros.h")
endif()
set(WARPLIGHT_MOC_MACROS ${moc_macros})

# warplight_test_moc(NAME SOURCES…) — makes what the sources of a test include of moc. AUTOMOC would start three programs
# for each test, and have moc read all of Qt's headers: a sixth of what all tests cost. So moc knows no macro of a header.
function(warplight_test_moc name)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}_moc")
  set(defined "$<TARGET_PROPERTY:${name},COMPILE_DEFINITIONS>")
  foreach(source ${ARGN})
    file(STRINGS ${source} includes REGEX "^#include \"[a-z_]+\\.moc\"")
    if(NOT includes)
      continue()
    endif()
    get_filename_component(path ${source} ABSOLUTE)
    get_filename_component(stem ${source} NAME_WE)
    add_custom_command(OUTPUT "${folder}/${stem}.moc"
      COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
      COMMAND Qt6::moc ${WARPLIGHT_MOC_MACROS} "$<$<BOOL:${defined}>:-D$<JOIN:${defined},;-D>>"
        "${path}" -o "${folder}/${stem}.moc"
      DEPENDS "${path}" COMMAND_EXPAND_LISTS VERBATIM)
    target_sources(${name} PRIVATE "${folder}/${stem}.moc")
    target_include_directories(${name} PRIVATE ${folder})
  endforeach()
endfunction()

# GNU's linker takes 2 s for a test, and 10 s for a Windows program that has LLVM inside. LLVM's linker takes 0.3 s, and
# one. For another system GCC 12 does not find it by -fuse-ld, but takes any program of that name from a folder.
if(NOT MSVC AND NOT WIN32 OR CMAKE_CROSSCOMPILING)
  find_program(WARPLIGHT_LLD NAMES ld.lld-19 ld.lld)
  mark_as_advanced(WARPLIGHT_LLD)
  if(WARPLIGHT_LLD AND WIN32)
    configure_file("${CMAKE_CURRENT_LIST_DIR}/collect2.in" "${PROJECT_BINARY_DIR}/lld/collect2" @ONLY
      FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
    list(APPEND WARPLIGHT_TEST_LINK_OPTIONS "-B${PROJECT_BINARY_DIR}/lld")
  elseif(WARPLIGHT_LLD)
    file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/lld")
    file(CREATE_LINK "${WARPLIGHT_LLD}" "${PROJECT_BINARY_DIR}/lld/ld.lld" SYMBOLIC)
    list(APPEND WARPLIGHT_TEST_LINK_OPTIONS "-fuse-ld=lld" "-B${PROJECT_BINARY_DIR}/lld")
  endif()
endif()

# What tests/once.txt leaves out of a build with sanitizers, and of one that runs under Wine: neither built nor run.
option(WARPLIGHT_ALL_TESTS "Keep the long tests that need to run only once, natively (tests/once.txt)" OFF)
set(WARPLIGHT_LEFT_OUT_TESTS)
if(NOT WARPLIGHT_ALL_TESTS AND (WARPLIGHT_SANITIZE OR (WIN32 AND CMAKE_CROSSCOMPILING)))
  set(_here windows)
  if(WARPLIGHT_SANITIZE)
    set(_here sanitize)
  endif()
  file(STRINGS "${PROJECT_SOURCE_DIR}/tests/once.txt" _rows REGEX "^[a-z].*${_here}")
  list(TRANSFORM _rows REPLACE " .*" "" OUTPUT_VARIABLE WARPLIGHT_LEFT_OUT_TESTS)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/once.txt")
endif()

# warplight_test(NAME SOURCES… LINKS … [COMPUTES]) — a Qt Test program, run by ctest with no display. One that COMPUTES
# has a reference of its own that takes long where it is not optimised. Its results are also kept
# as a file, tests/results/NAME.xml, for tests/device_interface/table.py.
function(warplight_test name)
  cmake_parse_arguments(ARG "COMPUTES" "TIMEOUT;SHARED_HEADERS" "SOURCES;LINKS;LABELS;ENVIRONMENT" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  warplight_test_moc(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE warplight_options ${ARG_LINKS} Qt6::Test)
  target_compile_options(${name} PRIVATE ${WARPLIGHT_TEST_OPTIONS})
  if(NOT WIN32 OR NOT "ui" IN_LIST ARG_LABELS) # Windows' libraries of the window are linker scripts, for GNU's
    target_link_options(${name} PRIVATE ${WARPLIGHT_TEST_LINK_OPTIONS})
  endif()
  if(ARG_COMPUTES)
    target_compile_options(${name} PRIVATE ${WARPLIGHT_COMPUTING_OPTIONS})
  endif()
  if(NOT ARG_SHARED_HEADERS AND ARG_COMPUTES)
    set(ARG_SHARED_HEADERS computing_test_headers)
  elseif(NOT ARG_SHARED_HEADERS)
    set(ARG_SHARED_HEADERS test_headers)
  endif()
  if(NOT ARG_SHARED_HEADERS STREQUAL "none")
    target_precompile_headers(${name} REUSE_FROM ${ARG_SHARED_HEADERS})
  endif()
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
  # The longest ones begin first: at the end no test runs alone.
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} COST ${ARG_TIMEOUT} LABELS "${ARG_LABELS}"
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;${sanitizer};${ARG_ENVIRONMENT}")
  if(name IN_LIST WARPLIGHT_LEFT_OUT_TESTS)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
    set_tests_properties(${name} PROPERTIES DISABLED TRUE)
  endif()
endfunction()

# warplight_test_again(NAME SUFFIX VARIABLE=VALUE…) — the same program once more in another environment. Under Wine, which
# is slow, once must do.
function(warplight_test_again name suffix)
  add_test(NAME ${name}_${suffix} COMMAND ${name})
  if(name IN_LIST WARPLIGHT_LEFT_OUT_TESTS OR (WIN32 AND WARPLIGHT_LEFT_OUT_TESTS))
    set_tests_properties(${name}_${suffix} PROPERTIES DISABLED TRUE)
  endif()
  foreach(property ENVIRONMENT TIMEOUT COST LABELS)
    get_test_property(${name} ${property} value)
    list(REMOVE_ITEM value threads) # once is enough
    set_tests_properties(${name}_${suffix} PROPERTIES ${property} "${value}")
  endforeach()
  set_property(TEST ${name}_${suffix} APPEND PROPERTY ENVIRONMENT ${ARGN})
endfunction()
