# SPDX-License-Identifier: Apache-2.0
"""Debian 12's Numba 0.56.4 takes functions of the driver by their names with _v2 where there are such. Those of CUDA 13
have another parameter, also in NVIDIA's driver, so Numba calls them wrongly."""
try:
    from numba.cuda.cudadrv import driver
except ImportError:  # another Python
    driver = None

NEW_IN_CUDA_13 = ("cuCtxGetDevice", "cuCtxSynchronize")

if driver is not None and hasattr(driver, "launch_kernel") and hasattr(driver.Driver, "_find_api"):
    find_api = driver.Driver._find_api

    def find_first_version(self, name):
        return getattr(self.lib, name) if name in NEW_IN_CUDA_13 else find_api(self, name)

    driver.Driver._find_api = find_first_version
