// SPDX-License-Identifier: Apache-2.0
// For scripts/check-windows-package.sh: what a person would do with an installed program, or another program to its
// files.
//   window SECONDS PROGRAM|FILE [ARGUMENTS]   starts it, or opens the file with what it is associated with; prints the
//                                             milliseconds until its window shows, and the program's path; closes it
//   keep SECONDS PROGRAM [ARGUMENTS]          starts it, prints "ready" when its window shows, closes it when standard
//                                             input ends
//   raw PROGRAM [WORDS]                       runs it with the words as they are, without quotation marks, which
//                                             installers do not want; its exit code
//   value KEY NAME                            a value of the registry below HKCU\\ or HKLM\\, as UTF-8
//   driver                                    opens nvcuda.dll as programs of the driver API do; prints its devices
//   hold FILE                                 opens the file and shares it with nobody; prints "ready", and lets it go
//                                             when standard input ends
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <shellapi.h>
#include <stdio.h>
#include <wchar.h>

static HWND found;

static BOOL CALLBACK is_window_of(HWND window, LPARAM process) {
    DWORD owner = 0;
    RECT area;
    GetWindowThreadProcessId(window, &owner);
    if (owner != (DWORD)process || !IsWindowVisible(window) || GetWindow(window, GW_OWNER) ||
        !GetWindowRect(window, &area) || area.right - area.left < 300)
        return TRUE;
    found = window;
    return FALSE;
}

static int fail(const char* what) {
    fprintf(stderr, "%s (error %lu)\n", what, GetLastError());
    return 1;
}

static void wait_for_input(void) {
    puts("ready");
    fflush(stdout);
    while (getchar() != EOF)
        ;
}

/// The arguments as they were written: all behind the first `skip` words.
static wchar_t* rest_of(wchar_t* line, int skip) {
    for (; skip > 0; --skip) {
        int quoted = 0;
        for (; *line && (quoted || *line != L' '); ++line)
            if (*line == L'"') quoted = !quoted;
        while (*line == L' ')
            ++line;
    }
    return line;
}

static int show(int keep, int seconds, const wchar_t* name, wchar_t* arguments) {
    LARGE_INTEGER frequency, start, end;
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&start);
    SHELLEXECUTEINFOW info = {.cbSize = sizeof info};
    info.fMask = SEE_MASK_NOCLOSEPROCESS | SEE_MASK_FLAG_NO_UI;
    info.lpFile = name;
    info.lpParameters = arguments;
    info.nShow = SW_SHOWNORMAL;
    if (!ShellExecuteExW(&info) || !info.hProcess) return fail("it cannot be started");
    const DWORD process = GetProcessId(info.hProcess);
    for (;;) {
        EnumWindows(is_window_of, (LPARAM)process);
        QueryPerformanceCounter(&end);
        const double passed = (double)(end.QuadPart - start.QuadPart) / (double)frequency.QuadPart;
        if (found) break;
        if (WaitForSingleObject(info.hProcess, 5) == WAIT_OBJECT_0) return fail("it ended without a window");
        if (passed > seconds) {
            TerminateProcess(info.hProcess, 1);
            return fail("no window came");
        }
    }
    wchar_t path[1024] = L"?";
    DWORD size = 1024;
    QueryFullProcessImageNameW(info.hProcess, 0, path, &size);
    if (keep)
        wait_for_input();
    else
        printf("%.0f %ls\n", (double)(end.QuadPart - start.QuadPart) * 1000 / (double)frequency.QuadPart,
               wcsrchr(path, L'\\') ? wcsrchr(path, L'\\') + 1 : path);
    PostMessageW(found, WM_CLOSE, 0, 0);
    if (WaitForSingleObject(info.hProcess, 20000) == WAIT_OBJECT_0) return 0;
    TerminateProcess(info.hProcess, 1);
    return fail("it does not end when its window is closed");
}

static int raw(int count, wchar_t** words) {
    static wchar_t line[8192];
    STARTUPINFOW startup = {.cb = sizeof startup};
    PROCESS_INFORMATION process;
    DWORD code = 1;
    swprintf(line, 8192, L"\"%ls\"", words[2]);
    for (int i = 3; i < count; ++i) {
        wcscat(line, L" ");
        wcscat(line, words[i]);
    }
    if (!CreateProcessW(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &startup, &process))
        return fail("it cannot be run");
    WaitForSingleObject(process.hProcess, INFINITE);
    GetExitCodeProcess(process.hProcess, &code);
    return (int)code;
}

static int value(const wchar_t* key, const wchar_t* name) {
    static wchar_t text[16384];
    static char utf8[65536];
    DWORD size = sizeof text - 2, type = 0;
    HKEY root = wcsncmp(key, L"HKLM\\", 5) == 0 ? HKEY_LOCAL_MACHINE : HKEY_CURRENT_USER, open;
    if (RegOpenKeyExW(root, key + 5, 0, KEY_READ, &open) != ERROR_SUCCESS) return 1;
    if (RegQueryValueExW(open, name, NULL, &type, (BYTE*)text, &size) != ERROR_SUCCESS) return 1;
    if (type == REG_DWORD)
        printf("%lu\n", *(DWORD*)text);
    else if (WideCharToMultiByte(CP_UTF8, 0, text, -1, utf8, sizeof utf8, NULL, NULL))
        puts(utf8);
    return 0;
}

static int driver(void) {
    HMODULE library = LoadLibraryW(L"nvcuda.dll");
    if (!library) return fail("nvcuda.dll cannot be opened");
    int (*init)(unsigned) = (int (*)(unsigned))(void*)GetProcAddress(library, "cuInit");
    int (*get_count)(int*) = (int (*)(int*))(void*)GetProcAddress(library, "cuDeviceGetCount");
    int devices = 0;
    if (!init || !get_count || init(0) != 0 || get_count(&devices) != 0) return fail("it does not work");
    printf("%d devices\n", devices);
    return 0;
}

int wmain(int count, wchar_t** words) {
    if (count >= 4 && (wcscmp(words[1], L"window") == 0 || wcscmp(words[1], L"keep") == 0))
        return show(words[1][0] == L'k', _wtoi(words[2]), words[3], rest_of(GetCommandLineW(), 4));
    if (count >= 3 && wcscmp(words[1], L"raw") == 0) return raw(count, words);
    if (count == 4 && wcscmp(words[1], L"value") == 0) return value(words[2], words[3]);
    if (count == 2 && wcscmp(words[1], L"driver") == 0) return driver();
    if (count == 3 && wcscmp(words[1], L"hold") == 0) {
        HANDLE file = CreateFileW(words[2], GENERIC_READ, 0, NULL, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
        if (file == INVALID_HANDLE_VALUE) return fail("the file cannot be opened");
        wait_for_input();
        CloseHandle(file);
        return 0;
    }
    fputs("window | keep SECONDS PROGRAM, raw PROGRAM, value KEY NAME, driver, hold FILE\n", stderr);
    return 2;
}
