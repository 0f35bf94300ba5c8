# SPDX-License-Identifier: GPL-3.0-or-later
# What Linux systems get beside the programs, and the packages for Linux:
#   DEB   below /usr, with the libraries of the distribution that it was made on
#   TGZ   one folder with its libraries inside, for distributions whose glibc is at least that of the build
#   RPM   the same folder as /opt/warplight, with links to it below /usr: other distributions have other versions of Qt,
#         LLVM and fmt, whose packages have other names
# linux/FinishTree.cmake completes each package's folder before it is packed.
set(_texts "${PROJECT_BINARY_DIR}/texts")
if(NOT WARPLIGHT_SANITIZE AND (NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR))
  set(_here "${PROJECT_SOURCE_DIR}/packaging/linux")
  add_custom_command(OUTPUT "${_texts}/warplight-cli.1" "${_texts}/warplight-cli.bash" "${_texts}/_warplight-cli"
    COMMAND ${CMAKE_COMMAND} "-DCLI=${CMAKE_CROSSCOMPILING_EMULATOR};$<TARGET_FILE:warplight-cli>"
      -DVERSION=${PROJECT_VERSION} "-DTEMPLATE=${_here}/warplight-cli.1.in" "-DFOLDER=${_texts}"
      -P "${_here}/MakeTexts.cmake"
    DEPENDS warplight-cli "${_here}/MakeTexts.cmake" "${_here}/warplight-cli.1.in" VERBATIM)
  add_custom_target(texts ALL DEPENDS "${_texts}/warplight-cli.1")
  # All that packages are made of.
  add_custom_target(packaged DEPENDS texts warplight-cli)
  foreach(_program warplight warplight-cuda warplight_cudart_11 warplight_cudart_12 warplight_cudart_13)
    if(TARGET ${_program})
      add_dependencies(packaged ${_program})
    endif()
  endforeach()
  install(FILES packaging/linux/warplight.1 "${_texts}/warplight-cli.1" DESTINATION share/man/man1)
  install(FILES "${_texts}/warplight-cli.bash" DESTINATION share/bash-completion/completions RENAME warplight-cli)
  install(FILES "${_texts}/_warplight-cli" DESTINATION share/zsh/site-functions)
endif()

set(CPACK_GENERATOR "DEB;TGZ;RPM")
# The package of a later release is a later version, so that an upgrade of the system replaces it.
cmake_host_system_information(RESULT _distribution QUERY DISTRIB_ID)
cmake_host_system_information(RESULT _release QUERY DISTRIB_VERSION_ID)
string(REPLACE "debian" "deb" _distribution "${_distribution}")
set(CPACK_DEBIAN_PACKAGE_RELEASE "1+${_distribution}${_release}")
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE "Apache-2.0 AND GPL-3.0-or-later") # those of the libraries inside: see the SBOM
set(CPACK_RPM_PACKAGE_GROUP Development/Tools)
set(CPACK_RPM_PACKAGE_AUTOREQ ON)
set(CPACK_RPM_PACKAGE_AUTOPROV OFF)
set(CPACK_PACKAGE_RELOCATABLE OFF) # the links below /usr lead to a fixed place
# Folders that belong to other packages.
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/share/applications /usr/share/bash-completion
  /usr/share/bash-completion/completions /usr/share/icons /usr/share/icons/hicolor /usr/share/icons/hicolor/scalable
  /usr/share/icons/hicolor/scalable/apps /usr/share/icons/hicolor/scalable/mimetypes /usr/share/man /usr/share/man/man1
  /usr/share/metainfo /usr/share/mime /usr/share/mime/packages /usr/share/zsh /usr/share/zsh/site-functions)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/packaging/linux/FinishTree.cmake")
