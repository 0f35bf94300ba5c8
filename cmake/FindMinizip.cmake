# SPDX-License-Identifier: Apache-2.0
# minizip, zlib's reader and writer of zip archives: Minizip_FOUND, and the target Minizip::Minizip.
find_path(MINIZIP_INCLUDE_DIR minizip/unzip.h)
find_library(MINIZIP_LIBRARY NAMES minizip)
find_package(ZLIB)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Minizip REQUIRED_VARS MINIZIP_LIBRARY MINIZIP_INCLUDE_DIR ZLIB_FOUND)
mark_as_advanced(MINIZIP_INCLUDE_DIR MINIZIP_LIBRARY)
if(Minizip_FOUND AND NOT TARGET Minizip::Minizip)
  add_library(Minizip::Minizip UNKNOWN IMPORTED)
  set_target_properties(Minizip::Minizip PROPERTIES IMPORTED_LOCATION "${MINIZIP_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${MINIZIP_INCLUDE_DIR}" INTERFACE_LINK_LIBRARIES ZLIB::ZLIB)
endif()
