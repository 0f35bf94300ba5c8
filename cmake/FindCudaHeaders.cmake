# SPDX-License-Identifier: Apache-2.0
# The CUDA driver header, and only that: nothing of NVIDIA's is linked.
# Looked for in CUDA_PATH, CUDA_HOME, the usual install folders, the toolkit that core/compiler/install_toolkit.py
# installs, then the system's.
file(GLOB _cuda_folders LIST_DIRECTORIES true /usr/local/cuda /usr/local/cuda-* /opt/cuda
  "$ENV{ProgramFiles}/NVIDIA GPU Computing Toolkit/CUDA/v*")
if(CudaHeaders_INCLUDE_DIR AND NOT EXISTS "${CudaHeaders_INCLUDE_DIR}/cudaTypedefs.h")
  unset(CudaHeaders_INCLUDE_DIR CACHE) # the toolkit has been removed
endif()
set(_cuda_cache "$ENV{XDG_CACHE_HOME}")
if(NOT _cuda_cache)
  set(_cuda_cache "$ENV{HOME}/.cache")
endif()
# They are the same for every system: for another one, too, this machine's are taken.
find_path(CudaHeaders_INCLUDE_DIR NAMES cudaTypedefs.h
  HINTS ENV CUDA_PATH ENV CUDA_HOME PATHS ${_cuda_folders} "${_cuda_cache}/warplight/toolkit"
  PATH_SUFFIXES include targets/x86_64-linux/include NO_CMAKE_FIND_ROOT_PATH)
if(CudaHeaders_INCLUDE_DIR)
  file(STRINGS "${CudaHeaders_INCLUDE_DIR}/cuda.h" _line REGEX "^#define CUDA_VERSION +[0-9]+")
  string(REGEX MATCH "[0-9]+" CudaHeaders_VERSION_NUMBER "${_line}")
  math(EXPR _major "${CudaHeaders_VERSION_NUMBER} / 1000")
  math(EXPR _minor "${CudaHeaders_VERSION_NUMBER} % 1000 / 10")
  set(CudaHeaders_VERSION "${_major}.${_minor}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CudaHeaders REQUIRED_VARS CudaHeaders_INCLUDE_DIR VERSION_VAR CudaHeaders_VERSION
  REASON_FAILURE_MESSAGE "install a CUDA toolkit (11.8 or later) and set CUDA_PATH, or run core/compiler/install_toolkit.py")
if(CudaHeaders_FOUND AND NOT TARGET CudaHeaders::cuda)
  add_library(CudaHeaders::cuda INTERFACE IMPORTED)
  target_include_directories(CudaHeaders::cuda SYSTEM INTERFACE "${CudaHeaders_INCLUDE_DIR}")
endif()
