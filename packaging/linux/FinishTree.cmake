# SPDX-License-Identifier: GPL-3.0-or-later
# Run by CPack when a package's files are in its folder: adds the libraries of self-contained packages, and the licences.
set(_tree "${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}")
set(_list "${CPACK_TOPLEVEL_DIRECTORY}/parts-${CPACK_GENERATOR}.tsv")
set(_carry)
if(CPACK_GENERATOR MATCHES "TGZ|RPM")
  set(_carry --carry)
endif()
execute_process(COMMAND python3 "${CMAKE_CURRENT_LIST_DIR}/parts.py" "${_tree}" "${_list}" ${_carry}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND python3 "${CMAKE_CURRENT_LIST_DIR}/../sbom.py" "${_tree}" "${_list}" "${CPACK_PACKAGE_VERSION}"
  COMMAND_ERROR_IS_FATAL ANY)

if(CPACK_GENERATOR STREQUAL "RPM")
  # The system finds the programs, the manual pages and the desktop's files where it looks for them.
  file(GLOB_RECURSE _files LIST_DIRECTORIES OFF "${_tree}/bin/warplight*" "${_tree}/share/applications/*"
    "${_tree}/share/metainfo/*" "${_tree}/share/mime/*" "${_tree}/share/icons/*" "${_tree}/share/man/*"
    "${_tree}/share/bash-completion/*" "${_tree}/share/zsh/*")
  foreach(_file IN LISTS _files)
    file(RELATIVE_PATH _name "${_tree}" "${_file}")
    set(_link "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/${_name}")
    cmake_path(GET _link PARENT_PATH _folder)
    file(MAKE_DIRECTORY "${_folder}")
    file(RELATIVE_PATH _target "${_folder}" "${_file}")
    file(CREATE_LINK "${_target}" "${_link}" SYMBOLIC)
  endforeach()
  # The files stay as the bill of materials describes them: nothing is stripped or compressed again.
  # rpmbuild finds which libraries of the system are needed. Those inside are nobody else's business.
  file(GLOB _inside RELATIVE "${_tree}/lib/warplight" "${_tree}/lib/warplight/*.so*")
  string(REPLACE ";" "|" _inside "${_inside}")
  string(REPLACE "." "[.]" _inside "${_inside}")
  set(CPACK_RPM_SPEC_MORE_DEFINE "%define _build_id_links none\n%define _binary_payload w7.zstdio\n\
%global __os_install_post %{nil}\n\
%global __requires_exclude ^(${_inside})[(]")
endif()
