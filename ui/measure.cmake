# SPDX-License-Identifier: GPL-3.0-or-later
# Explorer, welcome page, launch, and the panels that show what was measured.
list(APPEND WARPLIGHT_VIEW_SOURCES
  function/attributes_model.cpp function/attributes_model.hpp
  function/function_panel.cpp function/function_panel.hpp
  timing/runs_model.cpp timing/runs_model.hpp
  timing/timing_panel.cpp timing/timing_panel.hpp)
list(APPEND WARPLIGHT_VIEW_SOURCES
  devices/device_attributes.cpp devices/device_attributes.hpp
  devices/devices_model.cpp devices/devices_model.hpp
  devices/explorer_panel.cpp devices/explorer_panel.hpp
  welcome/examples.cpp welcome/examples.hpp
  welcome/welcome_page.cpp welcome/welcome_page.hpp)
list(APPEND WARPLIGHT_VIEW_SOURCES
  launch/argument_dialog.cpp launch/argument_dialog.hpp
  launch/argument_guess.cpp launch/argument_guess.hpp
  launch/arguments_model.cpp launch/arguments_model.hpp
  launch/kernel_box.cpp launch/kernel_box.hpp
  launch/launch_form.cpp launch/launch_form.hpp
  launch/launch_panel.cpp launch/launch_panel.hpp
  launch/launch_shape.cpp launch/launch_shape.hpp
  launch/signature_follower.cpp launch/signature_follower.hpp)
