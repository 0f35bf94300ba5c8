// SPDX-License-Identifier: Apache-2.0
// In place of Windows' ssh.exe, which Wine has not: a process of Windows with its command line, pipes and end, that
// lets the ssh of this machine do the work. WARPLIGHT_TEST_SSH_PORT is a port of the loopback where
// near_windows_test.py starts it, with the same words and streams. When this process is killed, so is that ssh.
//
// First the words go there: their number, and each with its length before it. Then frames pass in both directions, a
// letter and the length of what follows: i(nput), o(utput), e(rrors), and x with the exit code. An empty i is the end
// of the input. Numbers have four bytes, the lowest first.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <winsock2.h>

#include <windows.h>

#include <shellapi.h>

namespace {

constexpr UINT kSshFailed = 255;

bool send_all(SOCKET to, const char* data, std::size_t size) {
    while (size > 0) {
        const int sent = send(to, data, static_cast<int>(size), 0);
        if (sent <= 0) return false;
        data += sent;
        size -= static_cast<std::size_t>(sent);
    }
    return true;
}

bool receive_all(SOCKET from, char* data, std::size_t size) {
    while (size > 0) {
        const int got = recv(from, data, static_cast<int>(size), 0);
        if (got <= 0) return false;
        data += got;
        size -= static_cast<std::size_t>(got);
    }
    return true;
}

std::string number(std::size_t value) {
    const auto wire = static_cast<std::uint32_t>(value);
    std::string bytes(sizeof wire, '\0');
    std::memcpy(bytes.data(), &wire, sizeof wire);
    return bytes;
}

std::string utf8(const wchar_t* text) {
    std::string bytes(static_cast<std::size_t>(WideCharToMultiByte(CP_UTF8, 0, text, -1, nullptr, 0, nullptr, nullptr)),
                      '\0');
    WideCharToMultiByte(CP_UTF8, 0, text, -1, bytes.data(), static_cast<int>(bytes.size()), nullptr, nullptr);
    bytes.pop_back();
    return bytes;
}

void pass_input(SOCKET to) {
    std::array<char, 65536> piece{};
    DWORD count = 0;
    const HANDLE input = GetStdHandle(STD_INPUT_HANDLE);
    do {
        if (!ReadFile(input, piece.data(), static_cast<DWORD>(piece.size()), &count, nullptr)) count = 0;
        const std::string frame = "i" + number(count) + std::string(piece.data(), count);
        if (!send_all(to, frame.data(), frame.size())) return;
    } while (count > 0);
}

[[noreturn]] void end(UINT code) {
    // A thread waits for input that may never come.
    TerminateProcess(GetCurrentProcess(), code);
    std::abort();
}

} // namespace

int main() {
    const char* port = std::getenv("WARPLIGHT_TEST_SSH_PORT");
    WSADATA about{};
    if (!port || WSAStartup(MAKEWORD(2, 2), &about) != 0) end(kSshFailed);
    const SOCKET machine = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<u_short>(std::atoi(port)));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(machine, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) end(kSshFailed);

    int count = 0;
    wchar_t** words = CommandLineToArgvW(GetCommandLineW(), &count);
    std::string greeting = number(static_cast<std::size_t>(count - 1));
    for (int i = 1; i < count; ++i) {
        const std::string word = utf8(words[i]);
        greeting += number(word.size()) + word;
    }
    if (!send_all(machine, greeting.data(), greeting.size())) end(kSshFailed);
    std::thread(pass_input, machine).detach();

    std::array<char, 5> head{};
    std::vector<char> body;
    while (receive_all(machine, head.data(), head.size())) {
        std::uint32_t size = 0;
        std::memcpy(&size, head.data() + 1, sizeof size);
        body.resize(size);
        if (!receive_all(machine, body.data(), body.size())) break;
        if (head[0] == 'x' && size == sizeof(std::uint32_t)) {
            std::uint32_t code = 0;
            std::memcpy(&code, body.data(), sizeof code);
            end(code);
        }
        const HANDLE to = GetStdHandle(head[0] == 'e' ? STD_ERROR_HANDLE : STD_OUTPUT_HANDLE);
        for (DWORD at = 0, written = 0; at < size; at += written)
            if (!WriteFile(to, body.data() + at, size - at, &written, nullptr)) end(kSshFailed);
    }
    end(kSshFailed);
}
