# SPDX-License-Identifier: GPL-3.0-or-later
# Editor, assembly, problems, output and buffers, on data in memory: no worker is needed.
foreach(part buffers editor)
  warplight_test(test_ui_${part} SOURCES views_${part}.cpp LINKS warplight_ui Qt6::Widgets LABELS ui
    SHARED_HEADERS ui_test_headers)
  target_include_directories(test_ui_${part} PRIVATE ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
endforeach()
target_sources(test_ui_buffers PRIVATE views_memory_source.hpp)
