# SPDX-License-Identifier: GPL-3.0-or-later
# The window's languages as resources of the program: ours from resources/translations, and Qt's own for its dialogs.
find_program(WARPLIGHT_LRELEASE NAMES lrelease-qt6 lrelease6 lrelease
  HINTS /usr/lib/qt6/bin "${Qt6_DIR}/../../../bin"
  DOC "Qt's compiler of translations (Debian: qt6-l10n-tools)" REQUIRED)
# Those of the machine that builds serve a program for another one, too.
find_path(WARPLIGHT_QT_TRANSLATIONS qtbase_de.qm
  PATHS "${Qt6_DIR}/../../../translations" "${Qt6_DIR}/../../../share/qt6/translations" /usr/share/qt6/translations
  DOC "Qt's own translations (Debian: qt6-translations-l10n)" REQUIRED NO_CMAKE_FIND_ROOT_PATH)

# warplight_translations(TARGET) — all of resources/translations as :/translations; Q_INIT_RESOURCE(translations) brings
# them in.
function(warplight_translations target)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/translations")
  set(list "<RCC><qresource prefix=\"/translations\">\n")
  set(files)
  file(GLOB texts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/resources/translations/warplight_*.ts")
  foreach(text ${texts})
    string(REGEX REPLACE ".*/warplight_(.*)\\.ts$" "\\1" language ${text})
    set(compiled "${folder}/warplight_${language}.qm")
    add_custom_command(OUTPUT ${compiled} COMMAND ${WARPLIGHT_LRELEASE} -silent ${text} -qm ${compiled}
      DEPENDS ${text} VERBATIM)
    list(APPEND files ${compiled})
    string(APPEND list "<file alias=\"warplight_${language}.qm\">${compiled}</file>\n")
    set(of_qt "${WARPLIGHT_QT_TRANSLATIONS}/qtbase_${language}.qm")
    if(EXISTS ${of_qt}) # English needs none
      string(APPEND list "<file alias=\"qtbase_${language}.qm\">${of_qt}</file>\n")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT "${folder}/translations.qrc" CONTENT "${list}</qresource></RCC>\n" @ONLY)
  set(code "${folder}/qrc_translations.cpp")
  add_custom_command(OUTPUT ${code} COMMAND Qt6::rcc --name translations --compress-algo zlib -o ${code} "${folder}/translations.qrc"
    DEPENDS ${files} "${folder}/translations.qrc" VERBATIM)
  target_sources(${target} PRIVATE ${code})
  set_source_files_properties(${code} PROPERTIES SKIP_AUTOGEN ON SKIP_UNITY_BUILD_INCLUSION ON
    SKIP_PRECOMPILE_HEADERS ON)
endfunction()
