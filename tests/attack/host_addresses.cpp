// SPDX-License-Identifier: Apache-2.0
#include "host_addresses.hpp"

#include <QFile>
#include <QStringList>

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace {

constexpr unsigned char kPattern = 0x5A;

/// One mapping of libc for each kind of access, as /proc/self/maps has them.
std::vector<HostAddress> mappings() {
    std::vector<HostAddress> found;
    QFile maps("/proc/self/maps");
    if (!maps.open(QIODevice::ReadOnly)) return found; // not on every system
    for (const QByteArray& line : maps.readAll().split('\n')) {
        const QStringList fields = QString::fromLatin1(line).simplified().split(' ');
        if (fields.size() < 6 || !fields[5].contains("libc.so")) continue;
        const std::string name = "libc, " + fields[1].left(3).toStdString();
        const bool known = std::any_of(found.begin(), found.end(), [&](const auto& a) { return a.name == name; });
        if (!known) found.push_back({name, fields[0].section('-', 0, 0).toULongLong(nullptr, 16)});
    }
    return found;
}

bool is_pattern(unsigned char byte) { return byte == kPattern; }

} // namespace

HostMemory::HostMemory() : on_heap_(kBytes, kPattern), mapped_(mappings()) {
    std::fill(std::begin(on_stack_), std::end(on_stack_), kPattern);
}

std::vector<HostAddress> HostMemory::addresses() const {
    std::vector<HostAddress> all = {
        {"the stack", reinterpret_cast<std::uint64_t>(on_stack_)},
        {"the heap", reinterpret_cast<std::uint64_t>(on_heap_.data())},
        {"code", reinterpret_cast<std::uint64_t>(&std::abort)},
        {"no canonical address", 0x8000'0000'0000'1000},
        {"the last bytes", ~std::uint64_t{0} - 15},
    };
    all.insert(all.end(), mapped_.begin(), mapped_.end());
    return all;
}

bool HostMemory::is_unharmed() const {
    return std::all_of(std::begin(on_stack_), std::end(on_stack_), is_pattern) &&
           std::all_of(on_heap_.begin(), on_heap_.end(), is_pattern);
}
