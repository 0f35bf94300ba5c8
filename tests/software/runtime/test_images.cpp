// SPDX-License-Identifier: Apache-2.0
// Images whose own lengths are wrong, at the end of readable memory: they are refused, and nothing outside is touched.
#include "driver_fixture.hpp"

#include <QTemporaryDir>

#include <cstring>

namespace {

constexpr std::size_t kHeader = 16; ///< of a fat binary, and of a linked image
constexpr std::size_t kRoom = std::size_t{1} << 16;

QByteArray fat_binary(const QString& name) {
    QFile in(QString(WARPLIGHT_SOURCE_DIR "/tests/software/runtime/images/%1.fatbin").arg(name));
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

QByteArray linked_image() {
    CUlinkState link = nullptr;
    void* image = nullptr;
    size_t size = 0;
    std::string text = ptx(".visible .entry fill() { ret; }");
    cuLinkCreate(0, nullptr, nullptr, &link);
    cuLinkAddData(link, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, "text", 0, nullptr, nullptr);
    QByteArray copy;
    if (cuLinkComplete(link, &image, &size) == CUDA_SUCCESS)
        copy = QByteArray(static_cast<const char*>(image), static_cast<int>(size));
    cuLinkDestroy(link);
    return copy;
}

template <class T>
QByteArray with(QByteArray image, std::size_t at, T value) {
    std::memcpy(image.data() + at, &value, sizeof value);
    return image;
}

/// Memory with none that is readable behind it: allocations lie apart.
class End {
public:
    End() : begin_(Session::allocate(kRoom)) {}
    ~End() { cuMemFree(begin_); }
    End(const End&) = delete;
    End& operator=(const End&) = delete;
    [[nodiscard]] void* put(const QByteArray& bytes) const {
        void* to = reinterpret_cast<char*>(begin_) + kRoom - bytes.size();
        std::memcpy(to, bytes.constData(), static_cast<std::size_t>(bytes.size()));
        return to;
    }
    [[nodiscard]] void* behind() const { return reinterpret_cast<char*>(begin_) + kRoom; }

private:
    CUdeviceptr begin_;
};

struct Loaded {
    CUresult code = CUDA_SUCCESS;
    std::string log;
};
Loaded load(const void* image) {
    char log[1024] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    CUmodule module = nullptr;
    const CUresult code = cuModuleLoadDataEx(&module, image, 2, options, values);
    if (code == CUDA_SUCCESS) cuModuleUnload(module);
    return {code, log};
}
CUresult load_file(const QByteArray& image) {
    const QTemporaryDir folder;
    QFile file(folder.filePath("image"));
    if (!file.open(QIODevice::WriteOnly) || file.write(image) != image.size()) return CUDA_ERROR_FILE_NOT_FOUND;
    file.close();
    CUmodule module = nullptr;
    const CUresult code = cuModuleLoad(&module, file.fileName().toUtf8().constData());
    if (code == CUDA_SUCCESS) cuModuleUnload(module);
    return code;
}
CUresult link(CUjitInputType type, void* image, std::size_t size) {
    CUlinkState state = nullptr;
    cuLinkCreate(0, nullptr, nullptr, &state);
    const CUresult code = cuLinkAddData(state, type, image, size, "input", 0, nullptr, nullptr);
    cuLinkDestroy(state);
    return code;
}
#if CUDA_VERSION >= 12000
/// What is wrong with a library's code is told when something of it is used.
CUresult load_library(const void* image) {
    CUlibrary library = nullptr;
    if (const CUresult code = cuLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0)) return code;
    CUmodule module = nullptr;
    const CUresult code = cuLibraryGetModule(&module, library);
    cuLibraryUnload(library);
    return code;
}
#endif

} // namespace

class ImagesTest : public QObject {
    Q_OBJECT
private slots:
    void damaged_data() {
        QTest::addColumn<QByteArray>("image");
        QTest::addColumn<QString>("message");
        const auto add = [](const char* what, const char* file, const QByteArray& image, const char* message) {
            QTest::addRow("%s, %s", what, file) << image << QString(message);
        };
        constexpr std::size_t entry_header = kHeader + 4, padded = kHeader + 8, packed = kHeader + 16,
                              unpacked = kHeader + 56;
        for (const char* file : {"plain", "lz4", "zstd"}) {
            const QByteArray image = fat_binary(file);
            const auto size = static_cast<std::uint64_t>(image.size());
            add("no header", file, with<std::uint16_t>(image, 6, 0), "header");
            add("a short header", file, with<std::uint16_t>(image, 6, 15), "header");
            add("a header of the whole image", file, with<std::uint16_t>(image, 6, 0xFFFF), "");
            add("larger", file, with<std::uint64_t>(image, 8, size - kHeader + 4096), "");
            add("as large as can be", file, with<std::uint64_t>(image, 8, UINT64_MAX), "larger");
            add("almost as large", file, with<std::uint64_t>(image, 8, UINT64_MAX - kHeader), "");
            add("cut", file, with<std::uint64_t>(image, 8, size - kHeader - 8), "reaches past");
            add("an entry without a header", file, with<std::uint32_t>(image, entry_header, 0), "reaches past");
            add("an entry of header", file, with<std::uint32_t>(image, entry_header, UINT32_MAX), "reaches past");
            add("a large entry", file, with<std::uint64_t>(image, padded, size), "reaches past");
            add("the largest entry", file, with<std::uint64_t>(image, padded, UINT64_MAX), "reaches past");
            add("an entry that comes round", file, with<std::uint64_t>(image, padded, UINT64_MAX - 79), "reaches past");
            add("large and an entry as large", file,
                with<std::uint64_t>(with<std::uint64_t>(image, 8, std::uint64_t{1} << 40), padded,
                                    (std::uint64_t{1} << 40) - 80),
                "");
            if (QLatin1String(file) == QLatin1String("plain")) continue;
            add("more packed than there is", file, with<std::uint32_t>(image, packed, UINT32_MAX), "larger than");
            add("nothing packed", file, with<std::uint32_t>(image, packed, 0), "do not unpack");
            add("1 GiB unpacked", file, with<std::uint64_t>(image, unpacked, 1U << 30), "do not unpack");
            add("everything unpacked", file, with<std::uint64_t>(image, unpacked, UINT64_MAX), "do not unpack");
        }
    }
    void damaged() {
        QFETCH(QByteArray, image);
        QFETCH(QString, message);
        const Session session;
        const End end;
        void* const at = end.put(image);
        const auto size = static_cast<std::size_t>(image.size());
        const Loaded loaded = load(at);
        CU_FAILS(loaded.code, CUDA_ERROR_INVALID_IMAGE);
        const QString log = QString::fromStdString(loaded.log);
        QVERIFY2(log.startsWith("the fat binary is damaged") && log.contains(message), qPrintable(log));
        CUmodule module = nullptr;
        CU_FAILS(cuModuleLoadData(&module, at), CUDA_ERROR_INVALID_IMAGE);
        CU_FAILS(cuModuleLoadFatBinary(&module, at), CUDA_ERROR_INVALID_IMAGE);
        CU_FAILS(load_file(image), CUDA_ERROR_INVALID_IMAGE);
        CU_FAILS(link(CU_JIT_INPUT_FATBINARY, at, size), CUDA_ERROR_INVALID_IMAGE);
#if CUDA_VERSION >= 12000
        CU_FAILS(load_library(at), CUDA_ERROR_INVALID_IMAGE);
#endif
        struct {
            int magic = 0x466243B1, version = 1;
            const void* data = nullptr;
            void* rest = nullptr;
        } wrapper;
        CU_FAILS(load(&wrapper).code, CUDA_ERROR_INVALID_IMAGE);
        wrapper.data = at;
        CU_FAILS(load(&wrapper).code, CUDA_ERROR_INVALID_IMAGE);
        wrapper.data = end.behind();
        CU_FAILS(load(&wrapper).code, CUDA_ERROR_INVALID_IMAGE);
        // An address in a file is that of no memory here.
        CU_FAILS(load_file(QByteArray(reinterpret_cast<const char*>(&wrapper), sizeof wrapper)),
                 CUDA_ERROR_INVALID_IMAGE);
    }

    /// Whole and at the end of memory they load; less of them does not, however little is missing.
    void cutOff_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"plain", "lz4", "zstd", "linked", "text"})
            QTest::newRow(file) << file;
    }
    void cutOff() {
        QFETCH(QString, file);
        const Session session;
        QByteArray image = fat_binary(file);
        if (file == "linked") image = linked_image();
        if (file == "text") {
            const std::string text = ptx(".visible .entry fill() { ret; }");
            image = QByteArray(text.c_str(), static_cast<int>(text.size()) + 1);
        }
        QVERIFY(!image.isEmpty());
        const End end;
        CU(load(end.put(image)).code);
        CU(load_file(image));
#if CUDA_VERSION >= 12000
        CU(load_library(end.put(image)));
#endif
        CU_FAILS(load(end.behind()).code, CUDA_ERROR_INVALID_IMAGE);
        for (int size = 1; size < image.size(); size += size < 100 ? 1 : 13) {
            const QByteArray part = image.left(size);
            CU_FAILS(load(end.put(part)).code, CUDA_ERROR_INVALID_IMAGE);
            // A file of a text may end anywhere; the last zeros of a fat binary are padding that its length counts.
            if (file != "text") CU_FAILS(load_file(part), CUDA_ERROR_INVALID_IMAGE);
        }
    }

    void linkedImages() {
        const Session session;
        const QByteArray image = linked_image();
        const auto size = static_cast<std::uint64_t>(image.size());
        const End end;
        for (const std::uint64_t total : {std::uint64_t{0}, std::uint64_t{kHeader - 1}, size - 1, size + 1, size + 4096,
                                          std::uint64_t{1} << 40, UINT64_MAX}) {
            const QByteArray damaged = with(image, 8, total);
            CU_FAILS(load(end.put(damaged)).code, CUDA_ERROR_INVALID_IMAGE);
            CU_FAILS(load_file(damaged), CUDA_ERROR_INVALID_IMAGE);
            CU_FAILS(link(CU_JIT_INPUT_CUBIN, end.put(damaged), size), CUDA_ERROR_INVALID_IMAGE);
        }
        for (const std::uint64_t text : {size, std::uint64_t{1} << 40, UINT64_MAX, UINT64_MAX - kHeader - 7}) {
            const QByteArray damaged = with(image, kHeader, text);
            CU_FAILS(load(end.put(damaged)).code, CUDA_ERROR_INVALID_IMAGE);
            CU_FAILS(load_file(damaged), CUDA_ERROR_INVALID_IMAGE);
            CU_FAILS(link(CU_JIT_INPUT_CUBIN, end.put(damaged), size), CUDA_ERROR_INVALID_IMAGE);
        }
    }

    /// A size that the caller says is checked against memory, a length inside against that size.
    void sizesOfTheCaller() {
        const Session session;
        const End end;
        QByteArray text(ptx(".visible .entry fill() { ret; }").c_str());
        const auto size = static_cast<std::size_t>(text.size());
        CU(link(CU_JIT_INPUT_PTX, end.put(text), size));
        for (const std::size_t more : {size + 1, size + kRoom, SIZE_MAX / 2, SIZE_MAX})
            CU_FAILS(link(CU_JIT_INPUT_PTX, end.put(text), more), CUDA_ERROR_INVALID_IMAGE);
        CU_FAILS(link(CU_JIT_INPUT_PTX, end.behind(), 1), CUDA_ERROR_INVALID_IMAGE);
        const QByteArray image = fat_binary("plain");
        for (std::size_t part = 4; part < static_cast<std::size_t>(image.size()); part += 9)
            CU_FAILS(link(CU_JIT_INPUT_FATBINARY, end.put(image), part), CUDA_ERROR_INVALID_IMAGE);
    }
};

QTEST_GUILESS_MAIN(ImagesTest)
#include "test_images.moc"
