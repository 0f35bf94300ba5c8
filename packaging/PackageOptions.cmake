# SPDX-License-Identifier: GPL-3.0-or-later
# The archive unpacks into one folder that runs from anywhere; the .deb installs below /usr, the .rpm in a folder.
if(CPACK_GENERATOR STREQUAL "TGZ" OR CPACK_GENERATOR STREQUAL "ZIP")
  set(CPACK_PACKAGING_INSTALL_PREFIX "/")
  set(CPACK_INCLUDE_TOPLEVEL_DIRECTORY ON)
endif()
if(CPACK_GENERATOR STREQUAL "RPM")
  set(CPACK_PACKAGING_INSTALL_PREFIX "/opt/warplight")
endif()
