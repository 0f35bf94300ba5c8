// SPDX-License-Identifier: Apache-2.0
// Mutations of PTX text by lines and words: most of what comes out is still PTX, nearly right or right. Every third
// mutation is libFuzzer's own, of bytes.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using Lines = std::vector<std::string>;

/// One statement a line, so that lines can change places.
Lines split(std::string_view text) {
    Lines lines(1);
    for (const char c : text) {
        if (c != '\n') lines.back() += c;
        if (c == '\n' || c == ';' || c == '{' || c == '}') lines.emplace_back();
    }
    return lines;
}

struct Word {
    std::size_t line, begin, size;
    char kind; ///< '%' register, '.' modifier, '0' number, 'a' name
};

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

std::vector<Word> words_of(const Lines& lines) {
    std::vector<Word> words;
    for (std::size_t l = 0; l < lines.size(); ++l) {
        const std::string& line = lines[l];
        for (std::size_t k = 0; k < line.size();) {
            std::size_t end = k + (line[k] == '%' || line[k] == '.');
            while (end < line.size() && in_word(line[end]))
                ++end;
            if (end == k) {
                ++k;
                continue;
            }
            const char first = line[k];
            words.push_back({l, k, end - k,
                             first == '%' || first == '.'                      ? first
                             : std::isdigit(static_cast<unsigned char>(first)) ? '0'
                                                                               : 'a'});
            k = end;
        }
    }
    return words;
}

class Mutator {
public:
    Mutator(std::string_view text, unsigned seed) : random_(seed), lines_(split(text)) {}

    void mutate() {
        for (unsigned count = 1 + below(4); count; --count) {
            switch (below(8)) {
            case 0: lines_.erase(lines_.begin() + at_line()); break;
            case 1: {
                const std::string line = lines_[below(lines_.size())];
                lines_.insert(lines_.begin() + at_line(), line);
                break;
            }
            case 2: std::swap(lines_[below(lines_.size())], lines_[below(lines_.size())]); break;
            case 3: replace_number(); break;
            default: replace_word();
            }
            if (lines_.empty()) lines_.emplace_back();
        }
    }

    /// Some lines of another text.
    void insert(std::string_view other) {
        const Lines from = split(other);
        const std::size_t begin = below(from.size());
        const std::size_t count = std::min<std::size_t>(1 + below(6), from.size() - begin);
        lines_.insert(lines_.begin() + at_line(), from.begin() + static_cast<std::ptrdiff_t>(begin),
                      from.begin() + static_cast<std::ptrdiff_t>(begin + count));
    }

    std::size_t write(std::uint8_t* to, std::size_t most) const {
        std::string text;
        for (const std::string& line : lines_)
            text += line + "\n";
        const std::size_t size = std::min(most, text.size());
        std::memcpy(to, text.data(), size);
        return size;
    }

private:
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
    std::ptrdiff_t at_line() { return static_cast<std::ptrdiff_t>(below(lines_.size())); }

    /// By another word of its kind, of the same text.
    void replace_word() {
        const std::vector<Word> words = words_of(lines_);
        if (words.empty()) return;
        const Word to = words[below(words.size())];
        for (int tries = 0; tries < 50; ++tries) {
            const Word from = words[below(words.size())];
            if (from.kind != to.kind) continue;
            const std::string text = lines_[from.line].substr(from.begin, from.size);
            lines_[to.line].replace(to.begin, to.size, text);
            return;
        }
    }

    void replace_number() {
        static constexpr std::array kNumbers{"0",
                                             "1",
                                             "-1",
                                             "2",
                                             "3",
                                             "4",
                                             "7",
                                             "8",
                                             "15",
                                             "16",
                                             "31",
                                             "32",
                                             "33",
                                             "63",
                                             "64",
                                             "255",
                                             "256",
                                             "1024",
                                             "-2",
                                             "-8",
                                             "100",
                                             "2147483647",
                                             "4294967295",
                                             "4294967296",
                                             "0x80000000",
                                             "0f7F800000",
                                             "0f7FC00000",
                                             "0d7FF0000000000000",
                                             "9223372036854775807",
                                             "-9223372036854775808",
                                             "18446744073709551615"};
        std::vector<Word> words = words_of(lines_);
        std::erase_if(words, [](const Word& w) { return w.kind != '0'; });
        if (words.empty()) return;
        const Word to = words[below(words.size())];
        lines_[to.line].replace(to.begin, to.size, kNumbers[below(kNumbers.size())]);
    }

    std::mt19937 random_;
    Lines lines_;
};

std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

} // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    if (seed % 3 == 0) return LLVMFuzzerMutate(data, size, most);
    Mutator mutator(text_of(data, size), seed);
    mutator.mutate();
    return mutator.write(data, most);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* a, std::size_t a_size, const std::uint8_t* b,
                                                 std::size_t b_size, std::uint8_t* out, std::size_t most,
                                                 unsigned seed) {
    Mutator mutator(text_of(a, a_size), seed);
    mutator.insert(text_of(b, b_size));
    return mutator.write(out, most);
}
