// SPDX-License-Identifier: Apache-2.0
// As much of a CUDA driver as running one kernel over arrays takes, from a library that is opened by name.
#pragma once

#include "cases.hpp"

#include <QLibrary>
#include <QString>

namespace instructions {

class Device {
public:
    /// Opens the library and makes a context. On failure error() says why.
    explicit Device(const QString& library);
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    [[nodiscard]] QString error() const { return error_; }
    [[nodiscard]] QString name() const { return name_; }
    [[nodiscard]] unsigned architecture() const { return architecture_; } ///< 80 for 8.0
    /// Outputs of a module's kernel `k` for each of the inputs. On failure `problem` says why.
    std::vector<Outputs> run(const std::string& ptx, const std::vector<Inputs>& inputs, QString& problem);

private:
    template <class F>
    F resolve(const char* name);
    QString describe(const char* call, int code);

    QLibrary library_;
    QString error_, name_;
    unsigned architecture_ = 0;
    void* context_ = nullptr;
};

} // namespace instructions
