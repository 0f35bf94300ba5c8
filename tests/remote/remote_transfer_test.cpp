// SPDX-License-Identifier: Apache-2.0
// Pieces of files: packed and unpacked, and such as nobody may send.
#include "remote/file_stamp.hpp"
#include "remote/transfer.hpp"

#include <QCryptographicHash>
#include <QTemporaryDir>
#include <QtTest>
#include <cstring>
#include <fstream>
#include <random>

using namespace warplight;
using namespace warplight::remote;

namespace {

std::vector<std::byte> noise(std::size_t size, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::vector<std::byte> bytes(size);
    for (std::byte& each : bytes)
        each = static_cast<std::byte>(random());
    return bytes;
}

std::vector<std::byte> bytes_of(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

/// Why it is refused; empty where it is not.
std::string refusal(std::vector<std::byte> bytes) {
    Unpacker unpacker;
    try {
        const Piece piece = decode_piece(bytes);
        if (piece.kind == Piece::Kind::raw || piece.kind == Piece::Kind::packed) (void)unpacker.unpack(piece);
        return {};
    } catch (const TransferError& error) {
        return error.what();
    }
}

} // namespace

class RemoteTransferTest : public QObject {
    Q_OBJECT
private slots:
    void pieces_come_as_they_went() {
        Packer packer;
        Unpacker unpacker;
        const std::vector<std::byte> zeros(kPieceSize), random = noise(kPieceSize);
        const auto packed = packer.piece(7, 1ull << 40, zeros);
        QVERIFY(packed.size() < 1000);
        const auto plain = packer.piece(8, 3, random);
        QVERIFY(plain.size() >= random.size() && plain.size() < random.size() + 64);
        Piece piece = decode_piece(packed);
        QCOMPARE(piece.kind, Piece::Kind::packed);
        QCOMPARE(piece.transfer, 7ull);
        QCOMPARE(piece.offset, 1ull << 40);
        QVERIFY(std::ranges::equal(unpacker.unpack(piece), zeros));
        piece = decode_piece(plain);
        QCOMPARE(piece.kind, Piece::Kind::raw);
        QVERIFY(std::ranges::equal(unpacker.unpack(piece), random));
        // What does not shrink is not tried again and again, but now and then.
        int tried = 0;
        for (int i = 0; i < 64; ++i)
            if (decode_piece(packer.piece(8, 0, random)).kind == Piece::Kind::packed) ++tried;
        QCOMPARE(tried, 0);
        bool found = false;
        for (int i = 0; i < 64 && !found; ++i) {
            const auto again = packer.piece(8, 0, zeros);
            found = decode_piece(again).kind == Piece::Kind::packed;
        }
        QVERIFY(found);
    }

    void a_file_goes_in_pieces() {
        QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("x").toStdString();
        auto bytes = noise(3 * kPieceSize / 2);
        bytes.resize(3 * kPieceSize); // half of it noise, half zeros
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        const files::InputFile file(path);
        for (const std::size_t from : {std::size_t{0}, std::size_t{1}, kPieceSize, bytes.size()}) {
            std::vector<std::byte> got(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(from));
            Unpacker unpacker;
            const Sending sending{.send = [&](std::span<const std::byte> sent) {
                const Piece piece = decode_piece(sent);
                if (piece.offset != got.size()) return false;
                const auto raw = unpacker.unpack(piece);
                got.insert(got.end(), raw.begin(), raw.end());
                return true;
            }};
            QCOMPARE(send_pieces(file, 1, from, sending), Sent::all);
            QVERIFY(got == bytes);
        }
        QCOMPARE(digest_of(file), compiler::sha256_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
        int sent = 0;
        const auto count = [&](std::span<const std::byte>) { return ++sent < 10; };
        QCOMPARE(send_pieces(file, 1, 0, {.send = count, .stopped = [&] { return sent == 2; }}), Sent::stopped);
        QCOMPARE(sent, 2);
        sent = 9;
        QCOMPARE(send_pieces(file, 1, 0, {.send = count}), Sent::gone);
    }

    void hostile_pieces_are_refused() {
        QVERIFY(!refusal({}).empty());
        QVERIFY(!refusal(std::vector<std::byte>(20)).empty());
        const auto content = bytes_of("0123456789");
        const auto encoded = [&](Piece piece) {
            piece.body = content;
            return encode(piece);
        };
        QVERIFY(refusal(encoded({.kind = Piece::Kind::raw, .size = 10})).empty());
        QVERIFY(!refusal(encoded({.kind = Piece::Kind::raw, .size = 9})).empty());
        QVERIFY(!refusal(encoded({.kind = Piece::Kind::raw, .size = 0})).empty());
        QVERIFY(!refusal(encoded({.kind = Piece::Kind::packed, .size = 10})).empty()); // no frame
        QVERIFY(!refusal(encoded({.kind = static_cast<Piece::Kind>(0), .size = 10})).empty());
        QVERIFY(!refusal(encoded({.kind = static_cast<Piece::Kind>(6), .size = 10})).empty());
        QVERIFY(!refusal(encoded({.kind = Piece::Kind::end, .size = 1})).empty());
        QVERIFY(
            !refusal(encode({.kind = Piece::Kind::failed, .body = std::vector<std::byte>(kLargestNote + 1)})).empty());
        // A note is cut, not refused, by the one who writes it.
        QVERIFY(refusal(encode_note(Piece::Kind::failed, 1, std::string(100'000, 'x'))).empty());

        // A bomb: few bytes that stand for more than they say.
        Packer packer;
        const auto packed = packer.pack(std::vector<std::byte>(kLargestPiece));
        std::vector<std::byte> frame(packed.begin(), packed.end());
        QVERIFY(refusal(encode({.kind = Piece::Kind::packed, .size = kLargestPiece, .body = frame})).empty());
        QVERIFY(!refusal(encode({.kind = Piece::Kind::packed, .size = kLargestPiece - 1, .body = frame})).empty());
        QVERIFY(!refusal(encode({.kind = Piece::Kind::packed, .size = 10, .body = frame})).empty());
        QVERIFY(!refusal(encode({.kind = Piece::Kind::packed, .size = kLargestPiece + 1, .body = frame})).empty());
        QVERIFY(!refusal(encode({.kind = Piece::Kind::packed, .size = 0xffffffff, .body = frame})).empty());
        // Each byte of a frame wrong in turn: it is refused or has the right size, and nothing else happens.
        for (std::size_t i = 0; i < frame.size(); ++i) {
            auto wrong = frame;
            wrong[i] ^= std::byte{0x41};
            (void)refusal(encode({.kind = Piece::Kind::packed, .size = kLargestPiece, .body = wrong}));
        }
    }

    void digests_are_those_of_others() {
        // FIPS 180-4, and a length for each way to be cut into blocks.
        QCOMPARE(compiler::sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        for (const std::size_t size : {0, 1, 55, 56, 63, 64, 65, 127, 128, 129, 1000, 100'000}) {
            const auto bytes = noise(size, static_cast<unsigned>(size));
            const QByteArray data(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(size));
            const std::string expected =
                QCryptographicHash::hash(data, QCryptographicHash::Sha256).toHex().toStdString();
            QCOMPARE(compiler::sha256_hex({data.constData(), size}), expected);
            compiler::Sha256 pieces;
            for (std::size_t at = 0; at < size; at += 77)
                pieces.update({data.constData() + at, std::min<std::size_t>(77, size - at)});
            QCOMPARE(pieces.hex(), expected);
        }
        QVERIFY(is_digest(std::string(64, 'a')));
        QVERIFY(!is_digest(std::string(63, 'a')));
        QVERIFY(!is_digest(std::string(64, 'A')));
        QVERIFY(!is_digest("../" + std::string(61, 'a')));
    }

    void stamps_tell_changed_files() {
        QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("x").toStdString();
        QVERIFY(!stamp_of(path));
        QVERIFY(!stamp_of(folder.path().toStdString()));
        std::ofstream(path) << "one";
        const auto first = stamp_of(path);
        QVERIFY(first && first->size == 3);
        QVERIFY(is_young(*first));
        QTest::qSleep(80);
        QVERIFY(!is_young(*first));
        QVERIFY(stamp_of(path) == first);
        const auto time = std::filesystem::last_write_time(path);
        std::ofstream(path) << "two";
        std::filesystem::last_write_time(path, time); // as tools do that unpack archives
#ifndef _WIN32
        QVERIFY(stamp_of(path) != first);
#endif
        std::filesystem::rename(path, path.string() + "2");
        std::ofstream(path) << "one";
        std::filesystem::last_write_time(path, time);
        QVERIFY(stamp_of(path) != first);
    }

    void sizes_and_rates_are_readable() {
        QCOMPARE(decimal_size(512), "512 bytes");
        QCOMPARE(decimal_size(40'000'000), "40 MB");
        QCOMPARE(decimal_size(1'250'000'000), "1.2 GB");
        QCOMPARE(decimal_size(999'999), "1.0 MB");
        Rate rate(40'000'000);
        QVERIFY(rate.text(10).empty()); // too soon
        QTest::qSleep(120);
        const QString text = QString::fromStdString(rate.text(12'000'000));
        QVERIFY2(text.startsWith("12 MB of 40 MB, ") && text.endsWith("B/s"), qPrintable(text));
        QVERIFY(!rate.text(40'000'000).empty()); // the end is always told
    }
};

QTEST_APPLESS_MAIN(RemoteTransferTest)
#include "remote_transfer_test.moc"
