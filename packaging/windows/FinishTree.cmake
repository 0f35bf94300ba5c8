# SPDX-License-Identifier: GPL-3.0-or-later
# Run by CPack when a package's files are in its folder: adds the bill of materials.
set(_tree "${CPACK_TEMPORARY_INSTALL_DIRECTORY}")
set(_list "${CPACK_TOPLEVEL_DIRECTORY}/parts-${CPACK_GENERATOR}.tsv")
execute_process(COMMAND python3 "${CMAKE_CURRENT_LIST_DIR}/parts.py" "${_tree}" "${_list}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND python3 "${CMAKE_CURRENT_LIST_DIR}/../sbom.py" "${_tree}" "${_list}" "${CPACK_PACKAGE_VERSION}"
  COMMAND_ERROR_IS_FATAL ANY)
