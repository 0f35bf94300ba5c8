# SPDX-License-Identifier: GPL-3.0-or-later
# Windows' part of Packaging.cmake: resources of the programs, the libraries that they need, the ZIP and the installer.
#   bin/                      the programs, their libraries, qt.conf
#   bin/exec/nvcuda.dll       the software device by the driver's name, for `warplight-cli exec`
#   bin/exec/cudart64_*.dll   the runtime library of each major version
#   bin/exec/nvrtc64_*.dll    NVRTC's names, which pass calls on to NVIDIA's library
#   plugins/                  Qt's, which qt.conf names
#   share/warplight/icons     the icon of sessions
#   share/doc/warplight/libraries.tsv, licenses   what is shipped, of which version, under which licence
#   share/doc/warplight/warplight.spdx.json       the same for programs, by windows/FinishTree.cmake
include(WindowsResources)
set(_programs)
if(TARGET warplight-cli)
  warplight_windows_resources(warplight-cli "Warplight on the command line" "GPL-3.0-or-later")
  list(APPEND _programs "bin/warplight-cli.exe")
endif()
if(TARGET warplight)
  warplight_windows_resources(warplight "Warplight" "GPL-3.0-or-later")
  list(APPEND _programs "bin/warplight.exe" "plugins/platforms/qwindows.dll" "plugins/styles/qwindowsvistastyle.dll")
  find_package(Qt6 REQUIRED COMPONENTS Core)
  get_target_property(_core Qt6::Core LOCATION)
  get_filename_component(_qt "${_core}" DIRECTORY) # its bin
  install(FILES "${_qt}/../plugins/platforms/qwindows.dll" DESTINATION plugins/platforms)
  install(FILES "${_qt}/../plugins/styles/qwindowsvistastyle.dll" DESTINATION plugins/styles)
  install(FILES packaging/windows/qt.conf DESTINATION bin)
endif()
if(TARGET warplight-cuda)
  warplight_windows_resources(warplight-cuda "Warplight's software device" "Apache-2.0")
  list(APPEND _programs "bin/warplight-cuda.dll" "bin/exec/nvcuda.dll" "bin/exec/cudart64_110.dll"
    "bin/exec/cudart64_12.dll" "bin/exec/cudart64_13.dll" "bin/exec/nvrtc64_120_0.dll" "bin/exec/nvrtc64_130_0.dll")
endif()
if(TARGET warplight_windows_icons)
  install(FILES "${PROJECT_BINARY_DIR}/windows/session.ico" DESTINATION share/warplight/icons)
endif()

# What the programs and plugins load is found when they are installed, for only then all of it is there.
set(_folders ${_qt})
foreach(_library libstdc++-6.dll libgcc_s_seh-1.dll libwinpthread-1.dll)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${_library}
    OUTPUT_VARIABLE _found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(IS_ABSOLUTE "${_found}")
    get_filename_component(_found "${_found}" REALPATH)
    get_filename_component(_found "${_found}" DIRECTORY)
    list(APPEND _folders "${_found}")
  endif()
endforeach()
list(REMOVE_DUPLICATES _folders)
install(CODE "
  set(files \"${_programs}\")
  set(folders \"${_folders}\")
  set(objdump \"${CMAKE_OBJDUMP}\")
  set(strip \"${CMAKE_STRIP}\")
  set(list \"${PROJECT_SOURCE_DIR}/packaging/windows/libraries.txt\")
  set(versions \"${WINDOWS_PREFIX}/VERSIONS\")
  include(\"${PROJECT_SOURCE_DIR}/packaging/windows/InstallLibraries.cmake\")")

# One set of files, without a choice of parts.
set(CPACK_MONOLITHIC_INSTALL ON)
set(CPACK_PACKAGE_FILE_NAME "warplight-${PROJECT_VERSION}-windows-x86_64")
set(CPACK_THREADS 0)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/packaging/windows/FinishTree.cmake")
set(CPACK_PACKAGING_INSTALL_PREFIX "/")
# CPack's NSIS generator takes NSIS.template.in from there instead of its own, which asks for an administrator's rights.
list(PREPEND CMAKE_MODULE_PATH "${PROJECT_SOURCE_DIR}/packaging/windows")
set(CPACK_MODULE_PATH "${CMAKE_MODULE_PATH}")
set(CPACK_WARPLIGHT_NSIS "${PROJECT_SOURCE_DIR}/packaging/windows")
set(CPACK_WARPLIGHT_ICONS "${PROJECT_BINARY_DIR}/windows")
