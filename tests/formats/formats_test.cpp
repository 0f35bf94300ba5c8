// SPDX-License-Identifier: Apache-2.0
// Files of NumPy, h5py and others as arrays, and arrays as such files. make.py made the files that are read.
#include "files/new_file.hpp"
#include "formats/array_writer.hpp"
#include "formats/container.hpp"
#include "formats/hdf5_library.hpp"
#include "formats/sound.hpp"
#include "formats/sound_library.hpp"
#include "session/data_source.hpp"
#include "warplight/error.hpp"
#include "warplight/file_io.hpp"
#include "warplight/ndarray.hpp"

#include <complex>
#include <numeric>

#include <QtTest>

using namespace warplight;
namespace fs = std::filesystem;

namespace {

const fs::path kFolder = fs::path(WARPLIGHT_SOURCE_DIR) / "tests" / "formats";

void any_size(std::uint64_t) {}

template <class T>
std::vector<T> values(const NdArray& array) {
    const auto all = array.as<T>();
    return {all.begin(), all.end()};
}

bool has_hdf5() {
    try {
        (void)formats::Hdf5Library::get("x.h5");
        return true;
    } catch (const FileError&) {
        return false;
    }
}
bool has_sound() {
    try {
        (void)formats::SoundLibrary::get("x.wav");
        return true;
    } catch (const FileError&) {
        return false;
    }
}

/// What a call throws; empty where it throws nothing.
template <class Call>
QString message_of(const Call& call) {
    try {
        call();
    } catch (const std::exception& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

std::string bytes_of_file(const fs::path& file) {
    const auto bytes = read_file(file);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace

#define NEEDS(library)                                                                                                 \
    if (!(library)) QSKIP("the library is not installed")

class FormatsTest : public QObject {
    Q_OBJECT
    QTemporaryDir temporary_;
    fs::path folder_;

    NdArray read(const char* file, const std::string& member = {}, const char* dtype = "") const {
        session::FileSource source{file, dtype, {}, 0};
        source.member = member;
        return session::read_array(source, session::Reach(kFolder));
    }
    /// The pointer and message that a source is refused with.
    static QString refusal(const fs::path& folder, const session::FileSource& source) {
        try {
            (void)session::read_array(source, session::Reach(folder));
        } catch (const session::SessionError& error) {
            return QString::fromStdString(error.pointer + " " + error.what());
        }
        return {};
    }

    /// What make.py put into both containers.
    void check_common(const char* file) {
        const auto x = read(file, "x");
        QCOMPARE(x.shape(), (Shape{3, 4}));
        QCOMPARE(x.dtype(), DType::float32());
        QCOMPARE(x.at<float>(2, 3), 11.0F);
        const auto big = read(file, "big");
        QCOMPARE(big.dtype(), DType::int32());
        QCOMPARE(values<std::int32_t>(big), (std::vector<std::int32_t>{-2, -1, 0, 1, 2}));
        const auto half = read(file, "half");
        QCOMPARE(half.dtype(), DType::float16());
        QCOMPARE(half.item(0), 0.5);
        QCOMPARE(half.item(1), -1.5);
        QCOMPARE(half.item(2), 65504.0);
        const auto flags = read(file, "flags");
        QCOMPARE(flags.dtype(), DType::boolean());
        QCOMPARE(flags.item(0) + 2 * flags.item(1) + 4 * flags.item(2), 5.0);
        const auto wave = read(file, "wave");
        QCOMPARE(values<std::complex<double>>(wave), (std::vector<std::complex<double>>{{0, 3}, {1, 2}, {2, 1}}));
        const auto one = read(file, "one");
        QCOMPARE(one.shape(), Shape{});
        QCOMPARE(one.item(0), 2.5);
        QCOMPARE(read(file, "empty").shape(), (Shape{0, 3}));
        // Converted, as other files are.
        QCOMPARE(read(file, "big", "uint8").item(0), 0.0);
        session::FileSource source{file, "", Shape{12}, 0};
        source.member = "x";
        const session::Reach reach{kFolder};
        QCOMPARE(session::read_array(source, reach).shape(), Shape{12});
        const auto described = session::describe(source, reach);
        QCOMPARE(described.dtype, std::string("float32"));
        QCOMPARE(described.bytes, std::uint64_t{48});
    }

    fs::path write(const char* name, const std::vector<NdArray>& arrays) {
        std::vector<formats::OutputArray> outputs;
        for (std::size_t i = 0; i < arrays.size(); ++i)
            outputs.push_back(formats::output_of("a" + std::to_string(i), arrays[i]));
        const fs::path file = folder_ / name;
        const auto size = formats::write_array_file(file, outputs, {}, {});
        if (size != fs::file_size(file)) qFatal("another size is told than there is");
        return file;
    }
    NdArray again(const fs::path& file, const std::string& member = {}, const char* dtype = "") {
        session::FileSource source{file.filename().string(), dtype, {}, 0};
        source.member = member;
        return session::read_array(source, session::Reach(folder_));
    }

    /// Each beginning of the file, and copies with bytes that were changed, are refused with a message or read.
    template <class Read>
    void damage(const char* name, const Read& read_damaged, bool changes) {
        const std::string whole = bytes_of_file(kFolder / name);
        const fs::path file = folder_ / (std::string("damaged-") + name);
        const auto attempt = [&](const std::string& bytes) {
            fs::remove(file); // some file systems wait for the disk where a file is emptied
            std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
            return message_of([&] { read_damaged(file); });
        };
        const std::size_t step = std::max<std::size_t>(1, whole.size() / 200);
        constexpr std::size_t empty_end = 8; // of an archive: where its list is and a comment that nobody needs
        for (std::size_t size = 0; size + empty_end < whole.size(); size += step)
            QVERIFY2(!attempt(whole.substr(0, size)).isEmpty(), qPrintable(QString("cut at %1").arg(size)));
        std::mt19937 random(5);
        int refused = 0;
        for (int i = 0; changes && i < 300; ++i) {
            std::string bytes = whole;
            for (unsigned k = 1 + random() % 3; k > 0; --k)
                bytes[random() % bytes.size()] = static_cast<char>(random() % 4 ? random() : 0xff);
            refused += attempt(bytes).isEmpty() ? 0 : 1;
        }
        QVERIFY2(!changes || refused > 50, qPrintable(QString::number(refused)));
    }

private slots:
    void initTestCase() {
        QVERIFY(temporary_.isValid());
        folder_ = temporary_.path().toStdString();
    }

    void npz_files_are_read() {
#ifndef WARPLIGHT_HAS_NPZ
        QVERIFY(message_of([&] { (void)read("stored.npz", "x"); }).contains("this build"));
        QSKIP("this build has no minizip");
#endif
        check_common("stored.npz");
        const auto columns = read("stored.npz", "columns");
        QVERIFY(columns.is_c_contiguous());
        QCOMPARE(columns.at<float>(1, 2), 6.0F);
        const auto points = read("stored.npz", "points.npy"); // the entry's own name will do
        QVERIFY(points.dtype().descr().starts_with("[("));
        QCOMPARE(points.nbytes(), std::size_t{16});
        QCOMPARE(read("packed.npz", "x").at<float>(2, 3), 11.0F);
        QCOMPARE(read("packed.npz", "zeros").shape(), (Shape{64, 256}));
        QCOMPARE(read("single.npz").at<float>(0, 1), 1.0F);
    }

    void hdf5_files_are_read() {
        NEEDS(has_hdf5());
        check_common("arrays.h5");
        const auto chunked = read("arrays.h5", "group/chunked");
        QCOMPARE(chunked.shape(), (Shape{50, 20}));
        QCOMPARE(chunked.dtype(), DType::int32());
        for (std::size_t i = 0; i < chunked.size(); ++i)
            QCOMPARE(chunked.item(i), static_cast<double>(i));
        QCOMPARE(read("arrays.h5", "/group/below/deep").as<std::uint64_t>()[3], 3000000000000000000U);
        QCOMPARE(values<std::int16_t>(read("arrays.h5", "colour")), (std::vector<std::int16_t>{2, 0}));
        QCOMPARE(read("arrays.h5", "here").item(999), 999.0);
        QCOMPARE(read("single.h5").at<float>(2, 0), 8.0F);
    }

    void hdf5_files_reach_no_other_file() {
        NEEDS(has_hdf5());
        QVERIFY(refusal(kFolder, {"arrays.h5", "", {}, 0, "outside"}).contains("in other files"));
        QVERIFY(refusal(kFolder, {"arrays.h5", "", {}, 0, "virtual"}).contains("in other files"));
        // Also where the other file is there.
        fs::copy_file(kFolder / "arrays.h5", folder_ / "links.h5");
        const auto x = NdArray::from<float>({1, 2, 3, 4});
        write("other.h5", {x});
        QVERIFY(refusal(folder_, {"links.h5", "", {}, 0, "elsewhere"}).contains("no dataset \"elsewhere\""));
        QVERIFY(refusal(folder_, {"links.h5", "", {}, 0, "virtual"}).contains("in other files"));
    }

    void sounds_are_read() {
        NEEDS(has_sound());
        const auto stereo = read("stereo.wav");
        QCOMPARE(stereo.shape(), (Shape{3, 2}));
        QCOMPARE(values<std::int16_t>(stereo), (std::vector<std::int16_t>{0, 1, -1, 32767, -32768, 5}));
        QCOMPARE(values<std::uint8_t>(read("bytes.wav")), (std::vector<std::uint8_t>{0, 128, 255, 7}));
        QCOMPARE(values<float>(read("float.wav")), (std::vector<float>{0.5F, -2.5F}));
        QCOMPARE(values<float>(read("stereo.wav", "", "float32"))[3], 32767.0F);
        QCOMPARE(formats::sound_rate(kFolder / "stereo.wav"), 8000);
        const auto output = formats::output_of("x", stereo);
        formats::write_array_file(folder_ / "rate.wav", std::span(&output, 1), {.rate = 11025}, {});
        QCOMPARE(bytes_of_file(folder_ / "rate.wav").substr(24, 4), std::string("\x11\x2b\0\0", 4));
        QVERIFY(message_of([&] {
                    formats::write_array_file(folder_ / "no.wav", std::span(&output, 1), {.rate = -1}, {});
                }).contains("samples a second"));
        QVERIFY(!fs::exists(folder_ / "no.wav"));
        // With an offset the bytes themselves are meant, as before.
        const auto raw = session::read_array({"stereo.wav", "int16", {}, 44}, session::Reach(kFolder));
        QCOMPARE(raw.shape(), Shape{6});
    }

    void texts_are_read_as_loadtxt_does() {
        write_file_atomically(folder_ / "t.txt", "# made by hand\n1 2.5  -3 # a comment\n\n4\t5 nan\n");
        const auto table = again("t.txt");
        QCOMPARE(table.shape(), (Shape{2, 3}));
        QCOMPARE(table.at<double>(0, 2), -3.0);
        QVERIFY(std::isnan(table.at<double>(1, 2)));
        write_file_atomically(folder_ / "odd.txt", "1 2\n3 x\n");
        QVERIFY(refusal(folder_, {"odd.txt", "", {}, 0}).contains("line 2, column 2"));
        write_file_atomically(folder_ / "uneven.txt", "1 2\n3\n");
        QVERIFY(refusal(folder_, {"uneven.txt", "", {}, 0}).contains("equally long"));
    }

    void members_are_listed() {
        for (const char* file : {"stored.npz", "arrays.h5"}) {
            if (fs::path(file).extension() == ".h5" ? !has_hdf5() : false) continue;
            const auto all = formats::members_of(kFolder / file);
            const auto find = [&](const std::string& name) {
                const auto found = std::ranges::find(all, name, &formats::Member::name);
                return found == all.end() ? formats::Member{} : *found;
            };
            QVERIFY(find("x").head);
            QCOMPARE(find("x").head->shape, (Shape{3, 4}));
            QCOMPARE(find("big").head->dtype, DType::int32());
            if (fs::path(file).extension() != ".h5") continue;
            QCOMPARE(find("group/below/deep").head->dtype, DType::uint64());
            QVERIFY(find("texts").problem.find("texts") != std::string::npos ||
                    find("texts").problem.find("lists") != std::string::npos);
            QCOMPARE(find("points").problem, std::string("holds structs"));
            QVERIFY(find("virtual").problem.find("other files") != std::string::npos);
            QCOMPARE(find("elsewhere").name, std::string());
        }
    }

    void wrong_names_are_told_with_the_right_ones() {
        for (const char* file : {"stored.npz", "arrays.h5"}) {
            if (fs::path(file).extension() == ".h5" && !has_hdf5()) continue;
            const auto unknown = refusal(kFolder, {file, "", {}, 0, "y"});
            QVERIFY2(unknown.startsWith("/member ") && unknown.contains("\"y\"") && unknown.contains("big"),
                     qPrintable(unknown));
            const auto none = refusal(kFolder, {file, "", {}, 0});
            QVERIFY2(none.startsWith("/path ") && none.contains("member"), qPrintable(none));
        }
        write_file_atomically(folder_ / "x.csv", "1,2\n");
        QVERIFY(refusal(folder_, {"x.csv", "", {}, 0, "y"}).startsWith("/member "));
    }

    /// A message may go to a terminal, where a name from a file must not set colours or move the cursor.
    void names_with_control_characters_are_written_plainly() {
        const auto x = NdArray::from<float>({1, 2, 3, 4});
        const auto named = [&](const char* file, const std::string& name) {
            const formats::OutputArray arrays[] = {formats::output_of(name, x), formats::output_of("x", x)};
            formats::write_array_file(folder_ / file, arrays, {}, {});
            return formats::members_of(folder_ / file).front();
        };
        const auto is_told_plainly = [&](const char* file, const std::string& name) {
            const auto message = refusal(folder_, {file, "no type", {}, 0, name});
            return !message.isEmpty() && !message.contains('\x1b');
        };
#ifdef WARPLIGHT_HAS_NPZ
        QCOMPARE(named("names.npz", "\x1b[5m").name, std::string(R"(\x1b[5m)"));
        QCOMPARE(formats::read_member(folder_ / "names.npz", R"(\x1b[5m)", any_size).at<float>(3), 4.0F);
        QVERIFY(is_told_plainly("names.npz", "none"));
        QVERIFY(is_told_plainly("names.npz", R"(\x1b[5m)"));
        // A zero byte, and letters in an encoding that is not told: without the mark of UTF-8.
        std::string bytes = bytes_of_file(folder_ / "names.npz");
        const auto list = bytes.find("PK\1\2");
        bytes.at(list + 9) = 0;
        bytes.replace(bytes.find("\x1b[5m", list), 4, std::string("\0s\xE9s", 4));
        write_file_atomically(folder_ / "names.npz", bytes);
        QCOMPARE(formats::members_of(folder_ / "names.npz").front().name, std::string(R"(\x00s\xe9s)"));
        QCOMPARE(formats::read_member(folder_ / "names.npz", R"(\x00s\xe9s)", any_size).at<float>(3), 4.0F);
#endif
        NEEDS(has_hdf5());
        const auto member = named("names.h5", "\x1b[5m");
        QCOMPARE(member.name, std::string(R"(\x1b[5m)"));
        QVERIFY(member.problem.find("control characters") != std::string::npos);
        QVERIFY(is_told_plainly("names.h5", "none"));
        QVERIFY(is_told_plainly("names.h5", R"(\x1b[5m)"));
    }

    void damaged_npz_files_are_refused() {
#ifndef WARPLIGHT_HAS_NPZ
        QSKIP("this build has no minizip");
#endif
        const auto read_all = [](const fs::path& file) {
            (void)formats::members_of(file);
            for (const char* each : {"x", "zeros"})
                (void)formats::read_member(file, each, any_size);
        };
        damage("packed.npz", read_all, true);
        damage("single.npz", [](const fs::path& file) { (void)formats::read_member(file, "only", any_size); }, true);
    }

    void an_archive_cannot_unfold_without_end() {
#ifndef WARPLIGHT_HAS_NPZ
        QSKIP("this build has no minizip");
#endif
        // The unpacked size of the first entry, in both of its places, says 2 GiB.
        std::string bytes = bytes_of_file(kFolder / "packed.npz");
        const std::string huge("\xff\xff\xff\x7f", 4);
        const auto central = bytes.find("PK\1\2");
        QVERIFY(central != std::string::npos);
        bytes.replace(central + 24, 4, huge);
        write_file_atomically(folder_ / "bomb.npz", bytes);
        const auto message = refusal(folder_, {"bomb.npz", "", {}, 0, "zeros"});
        QVERIFY2(message.contains("cannot unfold to"), qPrintable(message));
        bool asked = false;
        const auto refuse = [&](std::uint64_t size) {
            asked = true;
            QCOMPARE(size, std::uint64_t{64 * 256 * 8});
            throw std::bad_alloc();
        };
        QVERIFY_THROWS_EXCEPTION(std::bad_alloc, formats::read_member(kFolder / "packed.npz", "zeros", refuse));
        QVERIFY(asked);
    }

    /// The library does not survive all changes: a worker reads such files, whose end is told.
    void hdf5_files_that_are_cut_are_refused() {
        NEEDS(has_hdf5());
        damage(
            "single.h5", [](const fs::path& file) { (void)formats::read_member(file, "group/only", any_size); }, false);
        damage(
            "arrays.h5", [](const fs::path& file) { (void)formats::read_member(file, "group/chunked", any_size); },
            false);
        write_file_atomically(folder_ / "no.h5", "no HDF5");
        QVERIFY(refusal(folder_, {"no.h5", "", {}, 0}).contains("is no HDF5 file"));
        write_file_atomically(folder_ / "half.h5", bytes_of_file(kFolder / "arrays.h5").substr(0, 8000));
        const auto half = refusal(folder_, {"half.h5", "", {}, 0, "x"});
        QVERIFY2(half.startsWith("/member ") && half.contains("cut short") && half.contains("truncated"),
                 qPrintable(half));
    }

    void damaged_sounds_are_refused() {
        NEEDS(has_sound());
        damage("stereo.wav", [](const fs::path& file) { (void)formats::read_sound(file, any_size); }, false);
        std::string bytes = bytes_of_file(kFolder / "stereo.wav");
        std::mt19937 random(7);
        for (int i = 0; i < 500; ++i) { // most changes are of samples: nothing to be refused
            std::string changed = bytes;
            changed[random() % changed.size()] = static_cast<char>(random());
            changed[random() % 44] = static_cast<char>(random());
            fs::remove(folder_ / "changed.wav");
            std::ofstream(folder_ / "changed.wav", std::ios::binary) << changed;
            (void)message_of([&] { (void)formats::read_sound(folder_ / "changed.wav", any_size); });
        }
    }

    void arrays_survive_being_written() {
        std::vector<float> numbers(70000); // more than a piece
        std::iota(numbers.begin(), numbers.end(), -3.25F);
        const NdArray x = NdArray::from(numbers, {700, 100});
        std::vector<NdArray> all{x};
        for (const DType& dtype : DType::all())
            all.push_back(dtype.kind() == Kind::complex ? NdArray::zeros({2}, dtype)
                                                        : NdArray::from<double>({0, 1, 1}).astype(dtype));
        all.push_back(NdArray::zeros({0, 3}, DType::int16()));
        all.push_back(NdArray::from<double>({7}, {1}).reshape({}));
        for (const char* name : {"all.npz", "all.h5", "all.hdf5"}) {
#ifndef WARPLIGHT_HAS_NPZ
            if (fs::path(name).extension() == ".npz") continue;
#endif
            if (fs::path(name).extension() != ".npz" && !has_hdf5()) continue;
            const auto file = write(name, all);
            for (std::size_t i = 0; i < all.size(); ++i) {
                const auto back = again(file, "a" + std::to_string(i));
                QCOMPARE(back.dtype(), all[i].dtype());
                QCOMPARE(back.shape(), all[i].shape());
                QVERIFY(std::ranges::equal(back.bytes(), all[i].bytes()));
            }
            // The same arrays make the same file.
            const std::string first = bytes_of_file(file);
            write(name, all);
            QVERIFY(bytes_of_file(file) == first);
        }
        for (const char* name : {"x.npy", "x.csv", "x.tsv", "x.txt"})
            QVERIFY(std::ranges::equal(again(write(name, {x}), {}, "float32").bytes(), x.bytes()));
        for (const auto& sound : {x.reshape({70000}), x.astype(DType::int16()).reshape({35000, 2}),
                                  x.astype(DType::int32()), x.astype(DType::float64()).reshape({10000, 7})}) {
            if (!has_sound() || sound.shape().back() == 100) continue;
            const auto back = again(write("x.wav", {sound}));
            QCOMPARE(back.dtype(), sound.dtype());
            QVERIFY(std::ranges::equal(back.bytes(), sound.bytes()));
            QCOMPARE(formats::sound_rate(folder_ / "x.wav"), formats::usual_sound_rate);
        }
        std::vector<std::uint8_t> pixels(6 * 5 * 3);
        std::iota(pixels.begin(), pixels.end(), std::uint8_t{1});
        const auto image = NdArray::from(pixels, {6, 5, 3});
        QVERIFY(std::ranges::equal(again(write("x.png", {image})).bytes(), image.bytes()));
        QCOMPARE(again(write("grey.png", {image.reshape({6, 15})})).shape(), (Shape{6, 15, 1}));
    }

    void what_a_format_cannot_take_is_refused() {
        const auto says = [](const char* extension, const DType& dtype, const Shape& shape) {
            return QString::fromStdString(formats::why_not_written(extension, dtype, shape));
        };
        QVERIFY(says(".png", DType::float32(), {4, 4}).contains("uint8"));
        QVERIFY(says(".png", DType::uint8(), {4, 4, 5}).contains("(4, 4, 5)"));
        QVERIFY(says(".png", DType::uint8(), {0, 4}).contains("pixel"));
        QVERIFY(says(".wav", DType::uint8(), {4}).contains("int16"));
        QVERIFY(says(".wav", DType::int16(), {4, 2, 2}).contains("[samples]"));
        for (const char* each : {".csv", ".txt", ".h5"})
            QVERIFY(says(each, DType::opaque(12, "[('x', '<f4'), ('y', '<f8')]"), {4}).contains(".npy"));
        QVERIFY(says(".npz", DType::opaque(12, "[('x', '<f4'), ('y', '<f8')]"), {4}).isEmpty());
        // The file that is there stays.
        write_file_atomically(folder_ / "stays.png", "old");
        QVERIFY(message_of([&] { write("stays.png", {NdArray::zeros({2, 2}, DType::int32())}); }).contains("uint8"));
        QCOMPARE(bytes_of_file(folder_ / "stays.png"), std::string("old"));
    }

    void writing_can_be_ended() {
        const NdArray x = NdArray::zeros({200000}, DType::float32());
        const auto output = formats::output_of("x", x);
        for (const char* name : {"ended.npz", "ended.npy", "ended.txt"}) {
#ifndef WARPLIGHT_HAS_NPZ
            if (fs::path(name).extension() == ".npz") continue;
#endif
            const auto end = [](std::size_t) { throw std::runtime_error("ended"); };
            QCOMPARE(message_of([&] { formats::write_array_file(folder_ / name, std::span(&output, 1), {}, end); }),
                     QString("ended"));
            QVERIFY(!fs::exists(folder_ / name));
        }
    }
};

QTEST_APPLESS_MAIN(FormatsTest)
#include "formats_test.moc"
