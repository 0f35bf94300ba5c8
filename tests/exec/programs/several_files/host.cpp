// SPDX-License-Identifier: Apache-2.0
#include "parts.hpp"

int host_shifted(int value) { return (value << 2) + 1; }
