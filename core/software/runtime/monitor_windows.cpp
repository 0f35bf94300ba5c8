// SPDX-License-Identifier: Apache-2.0
#include "monitor.hpp"

#ifdef __MINGW32__

#include <windows.h>

namespace warplight::software {
namespace {

static_assert(sizeof(SRWLOCK) == sizeof(void*) && sizeof(CONDITION_VARIABLE) == sizeof(void*));

// Both are a pointer, which is null at first.
SRWLOCK* lock_of(void*& state) { return reinterpret_cast<SRWLOCK*>(&state); }
CONDITION_VARIABLE* condition_of(void*& state) { return reinterpret_cast<CONDITION_VARIABLE*>(&state); }

} // namespace

void Mutex::lock() { AcquireSRWLockExclusive(lock_of(state_)); }
void Mutex::unlock() { ReleaseSRWLockExclusive(lock_of(state_)); }

void Condition::wait_once(Mutex& mutex) {
    SleepConditionVariableSRW(condition_of(state_), lock_of(mutex.state_), INFINITE, 0);
}
void Condition::notify_one() { WakeConditionVariable(condition_of(state_)); }
void Condition::notify_all() { WakeAllConditionVariable(condition_of(state_)); }

} // namespace warplight::software

#endif
