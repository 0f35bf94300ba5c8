# SPDX-License-Identifier: Apache-2.0
# CMake toolchain: Windows programs (x86_64) made on Debian 12 with mingw-w64 GCC, the "posix" flavour that has
# std::thread. Libraries, headers and packages come from the prefix and the cross compiler's own folder only; programs
# (moc, rcc, llvm-tblgen, ninja …) are the machine's.
#   cmake --preset windows                                            the prefix as scripts/windows-dependencies.sh finds it
#   cmake -DCMAKE_TOOLCHAIN_FILE=PREFIX/mingw-w64.cmake …             the copy inside the unpacked prefix
#   cmake -DCMAKE_TOOLCHAIN_FILE=…/mingw-w64.cmake -DWINDOWS_PREFIX=PREFIX …   any other copy
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_VERSION 10.0)
set(CMAKE_SYSTEM_PROCESSOR AMD64)

set(_triple x86_64-w64-mingw32)
set(CMAKE_C_COMPILER ${_triple}-gcc-posix)
set(CMAKE_CXX_COMPILER ${_triple}-g++-posix)
set(CMAKE_RC_COMPILER ${_triple}-windres)
# A caller must not know which registers a function leaves alone: of a function in several objects the linker takes any
# one, which may use others. GCC takes that into account on Linux, but not here.
set(CMAKE_C_FLAGS_INIT -fno-ipa-ra)
set(CMAKE_CXX_FLAGS_INIT -fno-ipa-ra)

if(NOT WINDOWS_PREFIX AND EXISTS "${CMAKE_CURRENT_LIST_DIR}/VERSIONS")
  set(WINDOWS_PREFIX "${CMAKE_CURRENT_LIST_DIR}")
endif()
if(NOT WINDOWS_PREFIX AND DEFINED ENV{WARPLIGHT_WINDOWS_PREFIX})
  set(WINDOWS_PREFIX "$ENV{WARPLIGHT_WINDOWS_PREFIX}")
elseif(NOT WINDOWS_PREFIX)
  set(_cache "$ENV{XDG_CACHE_HOME}")
  if(NOT _cache)
    set(_cache "$ENV{HOME}/.cache")
  endif()
  if(EXISTS "${_cache}/warplight/windows/prefix/VERSIONS")
    set(WINDOWS_PREFIX "${_cache}/warplight/windows/prefix")
  endif()
endif()
if(WINDOWS_PREFIX)
  get_filename_component(WINDOWS_PREFIX "${WINDOWS_PREFIX}" ABSOLUTE)
endif()
set(WINDOWS_PREFIX "${WINDOWS_PREFIX}" CACHE PATH "The unpacked Windows libraries")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WINDOWS_PREFIX)

# The prefix comes as a search prefix too: the root path alone would hide folders like PREFIX/lib/cmake/Qt6.
set(CMAKE_FIND_ROOT_PATH ${WINDOWS_PREFIX} /usr/${_triple})
list(PREPEND CMAKE_PREFIX_PATH ${WINDOWS_PREFIX})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# Debian's moc, rcc and uic (qt6-base-dev-tools, qt6-base-dev), of the same version as the Qt in the prefix.
set(QT_HOST_PATH /usr CACHE PATH "")
set(QT_HOST_PATH_CMAKE_DIR /usr/lib/x86_64-linux-gnu/cmake CACHE PATH "")
