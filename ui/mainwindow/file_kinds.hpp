// SPDX-License-Identifier: GPL-3.0-or-later
/// What a file is opened as, by its name.
#pragma once

#include <QString>
#include <initializer_list>

namespace warplight::ui {

inline bool hasSuffix(const QString& path, std::initializer_list<const char*> suffixes) {
    for (const char* suffix : suffixes)
        if (path.endsWith(QLatin1String(suffix), Qt::CaseInsensitive)) return true;
    return false;
}

inline bool isSession(const QString& path) { return hasSuffix(path, {".warplight"}); }
inline bool isKernelSource(const QString& path) { return hasSuffix(path, {".cu", ".ptx"}); }
/// A source beside others.
inline bool isText(const QString& path) { return hasSuffix(path, {".cuh", ".h", ".hpp", ".hh", ".inl"}); }

} // namespace warplight::ui
