# SPDX-License-Identifier: Apache-2.0
"""Where the headers of the CUDA toolkit lie, for NVRTC."""
import os
from pathlib import Path


def folders():
    """The first of CUDA_PATH, CUDA_HOME, the usual folders and the packages of pip that has them."""
    roots = [os.environ[name] for name in ("CUDA_PATH", "CUDA_HOME") if os.environ.get(name)]
    roots += ["/usr/local/cuda", "/opt/cuda", "/usr"]
    try:
        import nvidia
        roots += [folder for path in nvidia.__path__ for folder in sorted(Path(path).glob("c*"))]
    except ImportError:
        pass
    for root in roots:
        include = Path(root) / "include"
        if (include / "cuda_fp16.h").exists():
            # Since CUDA 13 the C++ library lies in a folder of its own.
            return [str(folder) for folder in (include, include / "cccl") if folder.exists()]
    return []
