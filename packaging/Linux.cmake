# SPDX-License-Identifier: GPL-3.0-or-later
# The packages for Linux:
#   DEB   below /usr, with the libraries of the distribution that it was made on
#   TGZ   one folder with its libraries inside, for distributions whose glibc is at least that of the build
# linux/FinishTree.cmake completes each package's folder before it is packed.
set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/packaging/linux/FinishTree.cmake")
