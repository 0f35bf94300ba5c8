# SPDX-License-Identifier: Apache-2.0
# What programs that use the library need: cmake --install BUILD --component Development
# Headers, static libraries, the CMake package, the software device, and the guide's programs. The packages of the
# workbench have the last two.
include(CMakePackageConfigHelpers)
set(WARPLIGHT_INSTALL_LIBDIR "${CMAKE_INSTALL_LIBDIR}")
set(WARPLIGHT_INSTALL_INCLUDEDIR "${CMAKE_INSTALL_INCLUDEDIR}")
# The software device lies where the programs look for it, whatever the system calls its folder of libraries.
set(WARPLIGHT_SOFTWARE_FOLDER "lib/warplight")
if(WIN32)
  set(WARPLIGHT_SOFTWARE_FOLDER "bin")
endif()
set(WARPLIGHT_SOFTWARE_FILE "")
if(TARGET warplight-cuda)
  set(WARPLIGHT_SOFTWARE_FILE "libwarplight-cuda.so")
  if(WIN32)
    set(WARPLIGHT_SOFTWARE_FILE "warplight-cuda.dll")
  endif()
  install(TARGETS warplight-cuda LIBRARY DESTINATION "${WARPLIGHT_SOFTWARE_FOLDER}" COMPONENT Development
    EXCLUDE_FROM_ALL RUNTIME DESTINATION "${WARPLIGHT_SOFTWARE_FOLDER}" COMPONENT Development EXCLUDE_FROM_ALL)
endif()
set(_package "${CMAKE_INSTALL_LIBDIR}/cmake/Warplight")
configure_package_config_file(packaging/cmake/WarplightConfig.cmake.in "${PROJECT_BINARY_DIR}/WarplightConfig.cmake"
  INSTALL_DESTINATION "${_package}" PATH_VARS WARPLIGHT_INSTALL_LIBDIR WARPLIGHT_INSTALL_INCLUDEDIR
    WARPLIGHT_SOFTWARE_FOLDER)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/WarplightConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/WarplightConfig.cmake" "${PROJECT_BINARY_DIR}/WarplightConfigVersion.cmake"
  DESTINATION "${_package}" COMPONENT Development EXCLUDE_FROM_ALL)
install(TARGETS warplight_files warplight_driver warplight_ptx_text warplight_interface warplight_compiler
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT Development EXCLUDE_FROM_ALL)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/core/include/warplight" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  COMPONENT Development EXCLUDE_FROM_ALL FILES_MATCHING PATTERN "*.hpp" PATTERN "*.def")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples/library" DESTINATION share/doc/warplight/examples
  COMPONENT Development EXCLUDE_FROM_ALL)
