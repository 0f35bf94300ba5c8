# SPDX-License-Identifier: GPL-3.0-or-later
# Where Qt Svg is missing the icons are drawn while the program is built, as PNG files under the names of the drawings:
# Qt looks at what a picture holds, not at its name.
#   warplight_icon_pictures(OUT_VARIABLE FILE.qrc)   the .qrc file of the pictures
function(warplight_icon_pictures out qrc)
  find_program(RSVG_CONVERT rsvg-convert)
  if(NOT RSVG_CONVERT)
    message(FATAL_ERROR "Qt Svg and rsvg-convert are missing: install librsvg2-bin, which draws the icons instead.")
  endif()
  get_filename_component(from "${qrc}" DIRECTORY)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/icons")
  file(STRINGS "${qrc}" lines)
  set(content)
  set(pictures)
  foreach(line IN LISTS lines)
    if(line MATCHES "<file( alias=\"([^\"]*)\")?>([^<]*)</file>")
      set(drawing "${from}/${CMAKE_MATCH_3}")
      set(name "${CMAKE_MATCH_2}")
      if(NOT name)
        set(name "${CMAKE_MATCH_3}")
      endif()
      string(REPLACE ".svg" ".png" picture "${folder}/${name}")
      get_filename_component(place "${picture}" DIRECTORY)
      file(MAKE_DIRECTORY "${place}")
      # Large enough for the largest icon of the window at 300 %.
      add_custom_command(OUTPUT "${picture}"
        COMMAND ${RSVG_CONVERT} --width 128 --height 128 --output "${picture}" "${drawing}"
        DEPENDS "${drawing}" VERBATIM)
      list(APPEND pictures "${picture}")
      string(REPLACE "${folder}/" "" picture "${picture}")
      set(line "    <file alias=\"${name}\">${picture}</file>")
    endif()
    string(APPEND content "${line}\n")
  endforeach()
  file(CONFIGURE OUTPUT "${folder}/icons.qrc" CONTENT "${content}" @ONLY)
  # The resources are compiled before the library's own sources.
  set_property(TARGET warplight_ui APPEND PROPERTY AUTOGEN_TARGET_DEPENDS ${pictures})
  set(${out} "${folder}/icons.qrc" PARENT_SCOPE)
endfunction()
