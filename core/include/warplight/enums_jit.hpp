// SPDX-License-Identifier: Apache-2.0
// Enumerations of the just-in-time compiler and the linker, with the values of CUDA 13.0.
#pragma once

#include <string>

namespace warplight::driver {

/// Options of module_from_buffer and Linker. The log buffers are the library's own.
enum class jit_option {
    MAX_REGISTERS = 0,
    THREADS_PER_BLOCK = 1,
    WALL_TIME = 2,
    INFO_LOG_BUFFER = 3,
    INFO_LOG_BUFFER_SIZE_BYTES = 4,
    ERROR_LOG_BUFFER = 5,
    ERROR_LOG_BUFFER_SIZE_BYTES = 6,
    OPTIMIZATION_LEVEL = 7,
    TARGET_FROM_CUCONTEXT = 8,
    TARGET = 9,
    FALLBACK_STRATEGY = 10,
    GENERATE_DEBUG_INFO = 11,
    LOG_VERBOSE = 12,
    GENERATE_LINE_INFO = 13,
    CACHE_MODE = 14,
    NEW_SM3X_OPT = 15,
    FAST_COMPILE = 16,
    GLOBAL_SYMBOL_NAMES = 17,
    GLOBAL_SYMBOL_ADDRESSES = 18,
    GLOBAL_SYMBOL_COUNT = 19,
    LTO = 20,
    FTZ = 21,
    PREC_DIV = 22,
    PREC_SQRT = 23,
    FMA = 24,
    REFERENCED_KERNEL_NAMES = 25,
    REFERENCED_KERNEL_COUNT = 26,
    REFERENCED_VARIABLE_NAMES = 27,
    REFERENCED_VARIABLE_COUNT = 28,
    OPTIMIZE_UNUSED_DEVICE_VARIABLES = 29,
    POSITION_INDEPENDENT_CODE = 30,
    MIN_CTA_PER_SM = 31,
    MAX_THREADS_PER_BLOCK = 32,
    OVERRIDE_DIRECTIVE_VALUES = 33,
    SPLIT_COMPILE = 34,
    NUM_OPTIONS = 35,
};

/// Values of jit_option::TARGET. COMPUTE_10 to COMPUTE_21 are names of drivers that are gone: passing one
/// is a LogicError.
enum class jit_target {
    COMPUTE_10 = 10,
    COMPUTE_11 = 11,
    COMPUTE_12 = 12,
    COMPUTE_13 = 13,
    COMPUTE_20 = 20,
    COMPUTE_21 = 21,
    COMPUTE_30 = 30,
    COMPUTE_32 = 32,
    COMPUTE_35 = 35,
    COMPUTE_37 = 37,
    COMPUTE_50 = 50,
    COMPUTE_52 = 52,
    COMPUTE_53 = 53,
    COMPUTE_60 = 60,
    COMPUTE_61 = 61,
    COMPUTE_62 = 62,
    COMPUTE_70 = 70,
    COMPUTE_72 = 72,
    COMPUTE_75 = 75,
    COMPUTE_80 = 80,
    COMPUTE_86 = 86,
    COMPUTE_87 = 87,
    COMPUTE_89 = 89,
    COMPUTE_90 = 90,
    COMPUTE_100 = 100,
    COMPUTE_103 = 103,
    COMPUTE_110 = 110,
    COMPUTE_120 = 120,
    COMPUTE_121 = 121,
    COMPUTE_90A = 0x1005a,
    COMPUTE_100A = 0x10064,
    COMPUTE_103A = 0x10067,
    COMPUTE_110A = 0x1006e,
    COMPUTE_120A = 0x10078,
    COMPUTE_121A = 0x10079,
    COMPUTE_100F = 0x20064,
    COMPUTE_103F = 0x20067,
    COMPUTE_110F = 0x2006e,
    COMPUTE_120F = 0x20078,
    COMPUTE_121F = 0x20079,
};

/// Values of jit_option::FALLBACK_STRATEGY.
enum class jit_fallback {
    PREFER_PTX = 0,
    PREFER_BINARY = 1,
};

/// Values of jit_option::CACHE_MODE.
enum class jit_cache_mode {
    NONE = 0,
    CG = 1,
    CA = 2,
};

/// What Linker::add_data and add_file are given.
enum class jit_input_type {
    CUBIN = 0,
    PTX = 1,
    FATBINARY = 2,
    OBJECT = 3,
    LIBRARY = 4,
    NVVM = 5,
    NUM_INPUT_TYPES = 6,
};

std::string to_string(jit_option value);
std::string to_string(jit_target value);
std::string to_string(jit_fallback value);
std::string to_string(jit_cache_mode value);
std::string to_string(jit_input_type value);

} // namespace warplight::driver
