// SPDX-License-Identifier: Apache-2.0
// For ThreadSanitizer, which does not survive a child that shares its parent's memory, as those of QProcess do until
// they run their program: here they get a copy of it.
#include <cstdarg>
#include <sched.h>

extern "C" {

int __interceptor_clone(int (*function)(void*), void* stack, int flags, void* argument, ...); // the sanitizer's own

int clone(int (*function)(void*), void* stack, int flags, void* argument, ...) noexcept {
    va_list more;
    va_start(more, argument);
    void* parent = va_arg(more, void*);
    void* storage = va_arg(more, void*);
    void* child = va_arg(more, void*);
    va_end(more);
    return __interceptor_clone(function, stack, flags & ~(CLONE_VM | CLONE_VFORK), argument, parent, storage, child);
}
}
