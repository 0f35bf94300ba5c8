# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed where, and the packages made of it.
#   bin/warplight, bin/warplight-cli      the programs
#   lib/warplight/libwarplight-cuda.so    the software device, found relative to the programs
#   lib/warplight/exec                    its names, the runtime library, NVRTC's names and nvcc, for the programs of
#                                         `warplight-cli exec`
#   share/warplight/examples, lessons, exercises the sessions of the welcome page
#   share/warplight/install_toolkit.py    NVRTC and the headers of CUDA, downloaded when the user asks for them
# One place for all Unix systems, so that the programs find it by a fixed relative path.
set(WARPLIGHT_PRIVATE_LIBDIR "lib/warplight")
set(WARPLIGHT_ID org.warplight.Warplight)

if(TARGET warplight-cli)
  install(TARGETS warplight-cli RUNTIME DESTINATION bin)
endif()
if(TARGET warplight)
  install(TARGETS warplight RUNTIME DESTINATION bin)
endif()
if(TARGET warplight-cuda)
  install(TARGETS warplight-cuda LIBRARY DESTINATION ${WARPLIGHT_PRIVATE_LIBDIR} RUNTIME DESTINATION bin)
  if(WIN32)
    install(PROGRAMS $<TARGET_FILE:warplight-cuda> DESTINATION bin/exec RENAME nvcuda.dll)
    install(TARGETS warplight_cudart_11 warplight_cudart_12 warplight_cudart_13 warplight-nvrtc-12 warplight-nvrtc-13
      RUNTIME DESTINATION bin/exec)
  else()
    install(DIRECTORY "${PROJECT_BINARY_DIR}/lib/exec" DESTINATION ${WARPLIGHT_PRIVATE_LIBDIR} USE_SOURCE_PERMISSIONS)
  endif()
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/resources/examples/" DESTINATION share/warplight/examples
  PATTERN "*.py" EXCLUDE PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/resources/lessons" "${PROJECT_SOURCE_DIR}/resources/exercises"
  DESTINATION share/warplight)
install(PROGRAMS "${PROJECT_SOURCE_DIR}/core/compiler/install_toolkit.py" DESTINATION share/warplight)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/LICENSE.GPL-3.0"
  "${PROJECT_SOURCE_DIR}/LICENSE.Apache-2.0" "${PROJECT_SOURCE_DIR}/README.md" DESTINATION share/doc/warplight)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/" DESTINATION share/doc/warplight/docs)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples/library" DESTINATION share/doc/warplight/examples)
if(UNIX AND NOT APPLE)
  install(FILES packaging/${WARPLIGHT_ID}.desktop DESTINATION share/applications)
  install(FILES packaging/${WARPLIGHT_ID}.metainfo.xml DESTINATION share/metainfo)
  install(FILES packaging/${WARPLIGHT_ID}.mime.xml DESTINATION share/mime/packages)
  install(FILES packaging/icons/${WARPLIGHT_ID}.svg DESTINATION share/icons/hicolor/scalable/apps)
  install(FILES packaging/icons/application-x-warplight-session.svg DESTINATION share/icons/hicolor/scalable/mimetypes)
endif()

set(CPACK_PACKAGE_NAME warplight)
set(CPACK_PACKAGE_VENDOR "The Warplight authors")
set(CPACK_PACKAGE_CONTACT "Warplight maintainers <maintainers@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Desktop workbench for GPU kernels")
set(CPACK_PACKAGE_DESCRIPTION
  "Write a CUDA kernel, give it data from files, launch it, and look at its results, timings and attributes.
Runs on NVIDIA GPUs and, where there is none, on a software device that executes the same PTX on the CPU.")
set(CPACK_PACKAGE_FILE_NAME "warplight-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
if(WIN32)
  set(CPACK_GENERATOR "NSIS;ZIP")
elseif(NOT APPLE)
  include(packaging/Linux.cmake)
endif()
set(CPACK_PACKAGING_INSTALL_PREFIX "/usr")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "qt6-svg-plugins | libqt6svg6 (<< 6.6)") # draws icons; Debian 13 has it apart
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libnvrtc11.2 | libnvrtc12 | cuda-nvrtc-13-0 | cuda-nvrtc-12-8")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "nvidia-cuda-toolkit, python3-pip") # the second: warplight-cli toolkit install
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_SOURCE_DIR}/packaging/PackageOptions.cmake")
if(WIN32)
  include(packaging/Windows.cmake)
endif()
include(CPack)
