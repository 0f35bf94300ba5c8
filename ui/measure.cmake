# SPDX-License-Identifier: GPL-3.0-or-later
# Panels that show what was measured: timing, function attributes.
list(APPEND WARPLIGHT_VIEW_SOURCES
  function/attributes_model.cpp function/attributes_model.hpp
  function/function_panel.cpp function/function_panel.hpp
  timing/runs_model.cpp timing/runs_model.hpp
  timing/timing_panel.cpp timing/timing_panel.hpp)
