# SPDX-License-Identifier: Apache-2.0
# muParser, which reads the formulas of sessions: MuParser_FOUND, and the target MuParser::MuParser.
find_path(MUPARSER_INCLUDE_DIR muParserBase.h)
find_library(MUPARSER_LIBRARY NAMES muparser)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MuParser REQUIRED_VARS MUPARSER_LIBRARY MUPARSER_INCLUDE_DIR)
mark_as_advanced(MUPARSER_INCLUDE_DIR MUPARSER_LIBRARY)
if(MuParser_FOUND AND NOT TARGET MuParser::MuParser)
  add_library(MuParser::MuParser UNKNOWN IMPORTED)
  set_target_properties(MuParser::MuParser PROPERTIES IMPORTED_LOCATION "${MUPARSER_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${MUPARSER_INCLUDE_DIR}")
  if(WIN32 AND NOT MSVC) # the prefix has a static library
    set_target_properties(MuParser::MuParser PROPERTIES INTERFACE_COMPILE_DEFINITIONS MUPARSER_STATIC)
  endif()
endif()
