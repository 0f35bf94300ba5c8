// SPDX-License-Identifier: GPL-3.0-or-later
// Ends or halts a process from outside, as a crash or a system short of memory does.
#pragma once

#include <QtGlobal>

#ifdef Q_OS_WIN
#include <windows.h>
#else
#include <csignal>
#include <sys/types.h>
#endif

#ifdef Q_OS_WIN

/// What is told of a process that killProcess() ended.
inline constexpr char killedWords[] = "exception 0xC0000005";

inline void killProcess(qint64 id) {
    const HANDLE process = OpenProcess(PROCESS_TERMINATE, FALSE, static_cast<DWORD>(id));
    if (!process) qFatal("process %lld cannot be opened: error %lu", id, GetLastError());
    TerminateProcess(process, 0xC0000005);
    CloseHandle(process);
}

inline void haltProcess(qint64 id) {
    const auto suspend = reinterpret_cast<LONG(NTAPI*)(HANDLE)>(
        reinterpret_cast<void*>(GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "NtSuspendProcess")));
    const HANDLE process = OpenProcess(PROCESS_SUSPEND_RESUME, FALSE, static_cast<DWORD>(id));
    if (!suspend || !process) qFatal("process %lld cannot be halted: error %lu", id, GetLastError());
    suspend(process);
    CloseHandle(process);
}

#else

inline constexpr char killedWords[] = "signal 9";

inline void killProcess(qint64 id) { ::kill(static_cast<pid_t>(id), SIGKILL); }
inline void haltProcess(qint64 id) { ::kill(static_cast<pid_t>(id), SIGSTOP); }

#endif
