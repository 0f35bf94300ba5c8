# SPDX-License-Identifier: GPL-3.0-or-later
# Run by CPack when a package's files are in its folder: adds the libraries of self-contained packages, and the licences.
set(_tree "${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}")
set(_list "${CPACK_TOPLEVEL_DIRECTORY}/parts-${CPACK_GENERATOR}.tsv")
set(_carry)
if(CPACK_GENERATOR STREQUAL "TGZ")
  set(_carry --carry)
endif()
execute_process(COMMAND python3 "${CMAKE_CURRENT_LIST_DIR}/parts.py" "${_tree}" "${_list}" ${_carry}
  COMMAND_ERROR_IS_FATAL ANY)
