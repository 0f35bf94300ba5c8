// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace warplight::ui {

/// The words of CUDA C++ that an editor knows beyond C++.
QString cppKeywords();
QString cudaQualifiers();
QString cudaBuiltins();
QString cudaTypes();

/// A function that CUDA code can call, as a call tip shows it.
struct CudaFunction {
    const char* name;
    const char* signature;
    const char* what;
};
/// Intrinsics, warp and atomic functions, barriers and the mathematics most kernels use.
const QList<CudaFunction>& cudaFunctions();

} // namespace warplight::ui
