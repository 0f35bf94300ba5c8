# SPDX-License-Identifier: Apache-2.0
# Zstandard, which packs what goes to another machine: Zstandard_FOUND, and the target Zstandard::Zstandard. LLVM has a
# module Findzstd of its own.
find_path(ZSTANDARD_INCLUDE_DIR zstd.h)
find_library(ZSTANDARD_LIBRARY NAMES zstd zstd_static)
if(ZSTANDARD_INCLUDE_DIR)
  file(STRINGS "${ZSTANDARD_INCLUDE_DIR}/zstd.h" _numbers REGEX "^#define ZSTD_VERSION_(MAJOR|MINOR|RELEASE) +[0-9]+")
  string(REGEX MATCHALL "[0-9]+" _numbers "${_numbers}")
  list(JOIN _numbers "." Zstandard_VERSION)
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Zstandard REQUIRED_VARS ZSTANDARD_LIBRARY ZSTANDARD_INCLUDE_DIR
  VERSION_VAR Zstandard_VERSION)
mark_as_advanced(ZSTANDARD_INCLUDE_DIR ZSTANDARD_LIBRARY)
if(Zstandard_FOUND AND NOT TARGET Zstandard::Zstandard)
  add_library(Zstandard::Zstandard UNKNOWN IMPORTED)
  set_target_properties(Zstandard::Zstandard PROPERTIES IMPORTED_LOCATION "${ZSTANDARD_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${ZSTANDARD_INCLUDE_DIR}")
endif()
