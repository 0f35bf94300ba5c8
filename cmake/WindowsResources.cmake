# SPDX-License-Identifier: GPL-3.0-or-later
# What Windows shows of a program or library: version, description, icons; and a program's manifest.
#   warplight_windows_resources(TARGET DESCRIPTION LICENCE)

# The icons, made once in packaging/'s part of the build tree.
function(warplight_windows_icons)
  if(TARGET warplight_windows_icons)
    return()
  endif()
  find_program(RSVG_CONVERT rsvg-convert)
  if(NOT RSVG_CONVERT)
    message(FATAL_ERROR "rsvg-convert, which draws the icons, is missing: install librsvg2-bin.")
  endif()
  # Debian's own, whose packages are meant, before others.
  find_program(WARPLIGHT_SYSTEM_PYTHON NAMES python3 python HINTS /usr/bin)
  execute_process(COMMAND ${WARPLIGHT_SYSTEM_PYTHON} -c "from PIL.Image import Transpose"
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    message(FATAL_ERROR "Python's imaging library, which makes the icons, is missing: install python3-pil.")
  endif()
  set(script "${PROJECT_SOURCE_DIR}/packaging/windows/make_ico.py")
  set(icons)
  foreach(each org.warplight.Warplight:warplight application-x-warplight-session:session)
    string(REPLACE ":" ";" each "${each}")
    list(GET each 0 drawing)
    list(GET each 1 icon)
    set(drawing "${PROJECT_SOURCE_DIR}/packaging/icons/${drawing}.svg")
    set(icon "${PROJECT_BINARY_DIR}/windows/${icon}.ico")
    add_custom_command(OUTPUT "${icon}"
      COMMAND ${WARPLIGHT_SYSTEM_PYTHON} "${script}" "${RSVG_CONVERT}" "${drawing}" "${icon}"
      DEPENDS "${drawing}" "${script}" VERBATIM)
    list(APPEND icons "${icon}")
  endforeach()
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/windows")
  # Of ALL, for the installer shows them too.
  add_custom_target(warplight_windows_icons ALL DEPENDS ${icons})
endfunction()

function(warplight_windows_resources target description licence)
  get_target_property(type ${target} TYPE)
  set(WARPLIGHT_RC_TARGET ${target})
  set(WARPLIGHT_RC_DESCRIPTION "${description}")
  set(WARPLIGHT_RC_LICENCE "${licence}")
  set(WARPLIGHT_RC_PROGRAM "")
  set(file "${PROJECT_BINARY_DIR}/windows/${target}.rc")
  if(type STREQUAL "EXECUTABLE")
    warplight_windows_icons()
    set(WARPLIGHT_RC_FILE "${target}.exe")
    set(WARPLIGHT_RC_KIND VFT_APP)
    # Qt takes the window's icon by this name; Explorer takes the first one.
    string(CONCAT WARPLIGHT_RC_PROGRAM "IDI_ICON1 ICON \"warplight.ico\"\n"
      "IDI_SESSION ICON \"session.ico\"\n"
      "1 24 \"${PROJECT_SOURCE_DIR}/packaging/windows/program.manifest\"\n")
    add_dependencies(${target} warplight_windows_icons)
    set_source_files_properties("${file}" TARGET_DIRECTORY ${target} PROPERTIES OBJECT_DEPENDS
      "${PROJECT_BINARY_DIR}/windows/warplight.ico;${PROJECT_BINARY_DIR}/windows/session.ico;${PROJECT_SOURCE_DIR}/packaging/windows/program.manifest")
  else()
    set(WARPLIGHT_RC_FILE "${target}.dll")
    set(WARPLIGHT_RC_KIND VFT_DLL)
  endif()
  configure_file("${PROJECT_SOURCE_DIR}/packaging/windows/resources.rc.in" "${file}" @ONLY)
  set_property(SOURCE "${file}" TARGET_DIRECTORY ${target} APPEND PROPERTY
    INCLUDE_DIRECTORIES "${PROJECT_BINARY_DIR}/windows")
  target_sources(${target} PRIVATE "${file}")
endfunction()
