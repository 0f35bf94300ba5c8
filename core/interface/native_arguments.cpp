// SPDX-License-Identifier: Apache-2.0
#include "interface/native_arguments.hpp"

namespace warplight::driver::detail {

std::vector<std::byte> pack_arguments(std::span<const Argument> arguments) {
    std::vector<std::byte> buffer;
    for (const Argument& argument : arguments) {
        const std::size_t alignment = argument.alignment();
        buffer.resize((buffer.size() + alignment - 1) / alignment * alignment);
        buffer.insert(buffer.end(), argument.data(), argument.data() + argument.size());
    }
    return buffer;
}

NativeArguments::NativeArguments(const FunctionState& function, std::span<const Argument> arguments, bool as_pointers) {
    if (function.parameters || as_pointers) {
        if (arguments.size() > few_.size()) many_.resize(arguments.size());
        void** next = many_.empty() ? few_.data() : many_.data();
        pointers_ = next;
        for (const Argument& argument : arguments)
            *next++ = const_cast<std::byte*>(argument.data());
        return;
    }
    packed_ = pack_arguments(arguments);
    packed_size_ = packed_.size();
    extra_[0] = CU_LAUNCH_PARAM_BUFFER_POINTER;
    extra_[1] = packed_.data();
    extra_[2] = CU_LAUNCH_PARAM_BUFFER_SIZE;
    extra_[3] = &packed_size_;
    extra_[4] = CU_LAUNCH_PARAM_END;
}

} // namespace warplight::driver::detail
