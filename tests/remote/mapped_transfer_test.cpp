// SPDX-License-Identifier: Apache-2.0
// Files of a mapped folder on their way: large ones, cuts, digests that are kept, and sides that lie.
#include "compiler/sha256.hpp"
#include "mapped_fixture.hpp"
#include "remote/known_digests.hpp"

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>

class MappedTransferTest : public MappedFixture {
    Q_OBJECT
private slots:
    void initTestCase() { open_sides(); }
    void cleanupTestCase() { close_sides(); }

    void large_files_go_once_and_go_on_after_a_cut() {
        const fs::path file = session_ / "large.bin";
        write(file, noise(5'000'000, 1));
        const json params = {{"path", file.string()}};
        Joined first(base_ / "far2", "a");
        first.most = 2'000'000;
        QVERIFY(error_of([&] { first.near->prepare("buffer.open", params, 1, never); }).contains("was lost"));
        first.far.reset(); // its process ends
        fs::remove_all(first.folder / "held/a");
        Joined second(base_ / "far2", "b");
        const json prepared = second.near->prepare("buffer.open", params, 1, never);
        QVERIFY(second.sent < 3'700'000); // and not all of it again
        QVERIFY(text_of(prepared["path"].get<std::string>()) == text_of(file));
        const auto sent = second.sent.load();
        const int asked = second.asked;
        QCOMPARE(second.near->prepare("buffer.open", params, 2, never), prepared);
        QCOMPARE(second.asked.load(), asked);
        QCOMPARE(second.sent.load(), sent);
        second.far.reset();
        fs::remove_all(second.folder / "held/b");
        Joined third(base_ / "far2", "c");
        (void)third.near->prepare("buffer.open", params, 1, never);
        QCOMPARE(third.sent.load(), 0ull); // its digest was known there
        QVERIFY(text_of(third.there(file)) == text_of(file));
        // Changed by a byte, with the same size.
        QTest::qSleep(60);
        write(file, noise(5'000'000, 2));
        (void)third.near->prepare("buffer.open", params, 3, never);
        QVERIFY(text_of(third.there(file)) == text_of(file));
    }

    /// The next process does not read a large file again, as long as it is the same.
    void digestsOfLargeFilesAreKept() {
        const fs::path file = base_ / "digests" / "large.bin", folder = base_ / "digests" / "kept";
        const std::string bytes = noise(std::size_t{5} << 20, 9);
        write(file, bytes);
        std::this_thread::sleep_for(100ms); // its time is over
        const json params = {{"path", file.string()}};
        const auto bring = [&](const std::string& id) {
            Joined joined(base_ / "digests" / ("far" + id), id, {}, false, folder);
            joined.near->prepare("buffer.open", params, 1, never);
            return text_of(joined.there(file));
        };
        QVERIFY(bring("a") == bytes);
        const KnownDigests kept(folder);
        const auto stamp = stamp_of(file);
        QVERIFY(stamp && tells_every_change(*stamp));
        QCOMPARE(kept.find(file, *stamp).value_or(""), compiler::sha256_hex(bytes));
        QCOMPARE(kept.find(base_ / "digests" / "other.bin", *stamp).value_or(""), "");
        // One that is kept is believed; a wrong one is found out by the other machine, and forgotten.
        kept.keep(file, *stamp, compiler::sha256_hex("wrong"));
        QVERIFY2(error_of([&] { (void)bring("b"); }).contains("was changed while it was sent"), "it was read again");
        QVERIFY(!kept.find(file, *stamp));
        QVERIFY(bring("c") == bytes);
        // Another file at its place, of the same size and the same time.
        const auto time = fs::last_write_time(file);
        const std::string others = noise(bytes.size(), 10);
        write(file, others);
        fs::last_write_time(file, time);
        std::this_thread::sleep_for(100ms);
        QVERIFY(bring("d") == others);
        // A small one is read at once.
        const fs::path small = base_ / "digests" / "small.bin";
        write(small, noise(100'000, 11));
        kept.keep(small, *stamp_of(small), compiler::sha256_hex("wrong"));
        QVERIFY(!kept.find(small, *stamp_of(small)));
    }

    void cuts_at_any_place_lose_nothing() {
        const fs::path file = session_ / "cut.bin";
        write(file, noise(2'500'000, 11) + std::string(1'000'000, 'z'));
        std::mt19937 random(12);
        std::uint64_t sent = 0;
        for (int i = 0; true; ++i) {
            QVERIFY(i < 200);
            const std::string id = std::to_string(i);
            Joined joined(base_ / "far9", id);
            joined.most = random() % 1'500'000;
            const QByteArray error =
                error_of([&] { joined.near->prepare("buffer.open", {{"path", file.string()}}, 1, never); });
            sent += std::min<std::uint64_t>(joined.sent, joined.most);
            const bool whole = error.isEmpty() && text_of(joined.there(file)) == text_of(file);
            joined.far.reset();
            fs::remove_all(joined.folder / "held" / id);
            if (whole) break;
            QVERIFY2(error.contains("was lost"), error.constData());
        }
        // Each cut costs what was on its way, and not what had come.
        QVERIFY2(sent < 8'000'000, qPrintable(QString::number(sent)));
    }

    // The next connection has its files under the same paths, so compiled code is found again.
    void compiled_code_outlives_a_connection() {
        const json params = {{"source", text_of(session_ / "k.cu")},
                             {"name", "k.cu"},
                             {"folder", session_.string()},
                             {"options", json::array({"-Iinc", "-DOUTLIVES=1"})},
                             {"allow", json::array({(base_ / "near/a").string()})}};
        fs::path before;
        for (const bool second : {false, true}) {
            Joined joined(base_ / "far10", second ? "b" : "a");
            Joined other(base_ / "far10", second ? "d" : "c");
            const fs::path root = FarFiles::root_of(joined.folder / "held" / (second ? "b" : "a"));
            QVERIFY(root != FarFiles::root_of(joined.folder / "held" / (second ? "d" : "c")));
            QVERIFY(fs::is_empty(root));
            if (second) QCOMPARE(root, before);
            before = root;
            const auto client = start({.read = {root}, .write = {}});
            const auto reply = client->call_wait("compile", joined.near->prepare("compile", params, 1, never), {}, 60s);
            QVERIFY2(reply.ok && reply.result->value("ok", false), reply.error.c_str());
            QCOMPARE(reply.result->value("cached", false), second);
            write(root.parent_path() / "7/left/by/a/killed/process", "x");
            QCOMPARE(chmod((root.parent_path() / "7").c_str(), 0700), 0);
            for (int i = 2; i < 7; ++i)
                fs::create_directories(root.parent_path() / std::to_string(i));
        }
        Joined last(base_ / "far10", "e");
        QVERIFY(fs::is_empty(before.parent_path() / "7"));
    }

    void a_far_folder_behind_a_link_is_known_by_both_names() {
        fs::create_directories(base_ / "real11");
        fs::create_directory_symlink(base_ / "real11", base_ / "far11");
        Joined joined(base_ / "far11", "a");
        const fs::path file = session_ / "x.npy", target = session_ / "linked.npy";
        const json prepared = joined.near->prepare("buffer.open", {{"path", file.string()}}, 1, never);
        const json save = joined.near->prepare("buffer.save", {{"path", target.string()}}, 2, never);
        const std::string there = prepared["path"], real = fs::canonical(there), saved = save["path"];
        const std::string real_saved = (fs::canonical(fs::path(saved).parent_path()) / fs::path(saved).filename());
        QVERIFY(saved != real_saved);
        for (const std::string& path : {there, real, (base_ / "far11/held/a/root").string() + file.string()}) {
            QVERIFY(joined.near->names_far_files("in " + path));
            QCOMPARE(joined.near->near_strings(path).get<std::string>(), file.string());
        }
        for (const std::string& path : {saved, real_saved})
            QCOMPARE(joined.near->near_strings(path).get<std::string>(), target.string());
        joined.near->forget(2);
        QCOMPARE(joined.near->near_strings(saved).get<std::string>(), saved);
    }

    void many_small_files_take_one_message() {
        std::string source = "extern \"C\" __global__ void scale() {}\n";
        for (int i = 0; i < 300; ++i) {
            const std::string name = "many/h" + std::to_string(i) + ".h";
            write(session_ / name,
                  "// " + std::string(100, static_cast<char>('a' + i % 26)) + std::to_string(i) + "\n");
            source += "#include \"" + name + "\"\n";
        }
        Joined joined(base_ / "far3", "a");
        const json params = {{"source", source}, {"name", "k.cu"}, {"folder", session_.string()}};
        (void)joined.near->prepare("compile", params, 1, never);
        QCOMPARE(joined.asked.load(), 1);
        QCOMPARE(joined.sent.load(), 0ull);
        QVERIFY(text_of(joined.there(session_ / "many/h299.h")) == text_of(session_ / "many/h299.h"));
        write(session_ / "many/h7.h", "// changed\n");
        (void)joined.near->prepare("compile", params, 2, never);
        QCOMPARE(joined.asked.load(), 2);
        QVERIFY(text_of(joined.there(session_ / "many/h7.h")) == "// changed\n");
        (void)joined.near->prepare("compile", params, 3, never);
        QCOMPARE(joined.asked.load(), 2);
    }

    void stopping_and_changes_while_a_file_is_sent() {
        const fs::path file = session_ / "changing.bin";
        write(file, noise(4'000'000, 3));
        const json params = {{"path", file.string()}};
        Joined joined(base_ / "far4", "a");
        // Stopped in the middle: what has come stays.
        const auto stop = [&] { return joined.sent > 1'500'000; };
        QVERIFY(error_of([&] { joined.near->prepare("buffer.open", params, 1, stop); }) == "cancelled");
        const auto before = joined.sent.load();
        (void)joined.near->prepare("buffer.open", params, 2, never);
        QVERIFY(joined.sent - before < 2'600'000);
        QVERIFY(text_of(joined.there(file)) == text_of(file));
        QVERIFY(!joined.told.empty());
        QVERIFY2(joined.told.back().starts_with("sending changing.bin: "), joined.told.back().c_str());

        write(file, noise(4'000'000, 4));
        const auto change = [&, done = false]() mutable {
            if (!done && joined.sent > 6'000'000) write(file, noise(4'000'000, 5));
            done = done || joined.sent > 6'000'000;
            return false;
        };
        const QByteArray error = error_of([&] { joined.near->prepare("buffer.open", params, 3, change); });
        QVERIFY2(error.contains("was changed while it was sent to me@far"), error.constData());
        (void)joined.near->prepare("buffer.open", params, 4, never);
        QVERIFY(text_of(joined.there(file)) == text_of(file));
    }

    void a_far_side_without_room_is_told() {
        qputenv("WARPLIGHT_REMOTE_LIMIT", "1M");
        Joined joined(base_ / "far5", "a");
        write(session_ / "toolarge.bin", noise(2'000'000, 6));
        const json params = {{"path", (session_ / "toolarge.bin").string()}};
        QByteArray error = error_of([&] { joined.near->prepare("buffer.open", params, 1, never); });
        QVERIFY2(error.contains("larger than the data that may be stored on me@far: 2.0 MB"), error.constData());
        qunsetenv("WARPLIGHT_REMOTE_LIMIT");
        joined.answer = [](const std::string&, const json&) -> json {
            throw RequestError(worker::file_error, "full",
                               {{"why", "disk"}, {"needed", 40'000'000u}, {"free", 12'000'000u}});
        };
        error = error_of([&] { joined.near->prepare("buffer.open", params, 2, never); });
        QCOMPARE(error,
                 "The disk is full on me@far: 40 MB needed, 12 MB free. `warplight-cli remote clean me@far` removes "
                 "stored data.");
    }

    void a_hostile_far_side_reaches_nothing() {
        const fs::path file = session_ / "x.npy";
        const json open = {{"path", file.string()}};
        for (const json& wanted :
             {json("x"), json::array({1}), json::array({{{"file", 7u}, {"transfer", 1u}, {"have", 0u}}}),
              json::array({{{"file", 0u}, {"transfer", 0u}, {"have", 0u}}}),
              json::array({{{"file", 0u}, {"transfer", kFirstFetch}, {"have", 0u}}}),
              json::array({{{"file", 0u}, {"transfer", 1u}, {"have", 1'000'000u}}}),
              json::array({{{"file", -1}, {"transfer", 1u}, {"have", 0u}}})}) {
            Joined joined(base_ / "far6", "a");
            joined.answer = [&](const std::string&, const json&) { return json{{"wanted", wanted}, {"root", "/"}}; };
            QVERIFY2(!error_of([&] { joined.near->prepare("buffer.open", open, 1, never); }).isEmpty() || wanted == "x",
                     pretty(wanted).constData());
        }
        Joined joined(base_ / "far6", "a");
        QVERIFY(!error_of([&] { joined.near->set_far({{"held", "relative"}}); }).isEmpty());
        QVERIFY(!error_of([&] { joined.near->set_far({{"held", 3}}); }).isEmpty());
        // Pieces that nobody has asked for.
        for (const Piece& piece : {Piece{.kind = Piece::Kind::end, .transfer = 1},
                                   Piece{.kind = Piece::Kind::end, .transfer = kFirstFetch + 1}})
            QVERIFY_THROWS_EXCEPTION(TransferError, joined.near->receive_bulk(encode(piece)));
        joined.near->receive_bulk(encode_note(Piece::Kind::failed, 99, "{\"why\": [1]}")); // of a request that is over

        // A report that names other files: only the result that was asked for is written.
        json arguments = scale_arguments();
        arguments[1]["save"] = "hostile.npy";
        const json prepared = joined.near->prepare("run", params_of(document(arguments)), 5, never);
        QVERIFY(!prepared.dump().empty());
        joined.answer = [&](const std::string& method, const json& params) -> json {
            if (method != "files.fetch" || params["files"].size() != 1) return json::object();
            const std::string text = "content";
            return {{"files", json::array({{{"size", 7u}, {"data", json::binary({text.begin(), text.end()})}}})}};
        };
        const json answer = {{"outputs", json::array({{{"index", 1}, {"saved", "/etc/passwd"}},
                                                      {{"index", 0}, {"saved", "/root/.bashrc"}}})},
                             {"status", "ok"}};
        json finished = joined.near->finish("run", prepared, answer, 5, never);
        QCOMPARE(finished["outputs"][0]["saved"].get<std::string>(), (session_ / "hostile.npy").string());
        QVERIFY(text_of(session_ / "hostile.npy") == "content");
        // Wrong sizes and digests: nothing is written, and the report says so.
        for (const json& entry : {json{{"size", 8u}, {"data", json::binary({1})}}, json{{"size", "x"}}, json(3),
                                  json{{"problem", "it is gone"}}, json{{"size", std::uint64_t{1} << 60}}}) {
            (void)joined.near->prepare("run", params_of(document(arguments)), 6, never);
            joined.answer = [&](const std::string&, const json&) { return json{{"files", json::array({entry})}}; };
            finished = joined.near->finish("run", {}, answer, 6, never);
            QCOMPARE(finished["status"].get<std::string>(), "input_error");
            QVERIFY(text_of(session_ / "hostile.npy") == "content");
            joined.answer = nullptr;
        }
    }

    void a_hostile_near_side_reaches_nothing() {
        Joined joined(base_ / "far7", "a");
        const fs::path root = joined.held() / "root";
        const std::string digest = compiler::sha256_hex("x");
        const auto file = [&](const json& path) {
            return json{{"files", json::array({{{"digest", digest},
                                                {"size", 1},
                                                {"data", json::binary({'x'})},
                                                {"paths", json::array({path})}}})}};
        };
        for (const json& path :
             {json("../x"), json("a/../../x"), json("/etc/x"), json("a//x"), json("a/./x"), json(""), json(3),
              json(std::string("a\0b", 3)), json(std::string(5000, 'a')), json(std::string(300, 'a'))})
            QVERIFY(!error_of([&] { joined.far->call("files.offer", file(path)); }).isEmpty());
        QVERIFY(!error_of([&] {
                     joined.far->call("files.offer",
                                      {{"links", json::array({{{"path", "l"}, {"target", "../../.."}}})}});
                 }).isEmpty());
        for (const json& wrong :
             {json{{"files", 3}}, json{{"files", json::array({3})}}, json{{"folders", json::array({3})}},
              json{{"files", json::array({{{"digest", "x"}, {"size", 1}}})}},
              json{{"files", json::array({{{"digest", digest}, {"size", -1}}})}},
              json{{"files", json::array({{{"digest", digest}, {"size", 1}, {"data", "x"}}})}},
              json{{"files", json::array({{{"digest", digest}, {"size", 2}, {"data", json::binary({'x'})}}})}},
              json{{"files",
                    json::array({{{"digest", digest}, {"size", 9}, {"data", json::binary({'x'})}, {"packed", true}}})}},
              json{{"remove", json::array({"../a"})}}, json::array()})
            QVERIFY2(!error_of([&] { joined.far->call("files.offer", wrong); }).isEmpty(), pretty(wrong).constData());
        // A link of its own is replaced, and not followed.
        joined.far->call("files.offer", {{"folders", json::array({"real"})},
                                         {"links", json::array({{{"path", "l"}, {"target", "real"}}})}});
        QVERIFY(fs::is_symlink(root / "l"));
        joined.far->call("files.offer", file("l/x"));
        QVERIFY(!fs::exists(root / "real/x"));
        QVERIFY(fs::exists(root / "l/x"));
        joined.far->call("files.offer", {{"remove", json::array({""})}});
        QVERIFY(fs::exists(root / "l/x"));
        // Results: never through a link of the worker's, and never from elsewhere.
        fs::create_symlink("/etc/passwd", joined.held() / "out/p");
        fs::create_directory_symlink("/etc", joined.held() / "out/e");
        const auto fetch = [&](const json& path) {
            return joined.far->call("files.fetch",
                                    {{"files", json::array({{{"path", path}, {"transfer", kFirstFetch}}})}});
        };
        for (const char* path : {"p", "e/passwd", "none"})
            QVERIFY(fetch(path)["files"][0].contains("problem"));
        for (const json& path : {json("../root/l/x"), json(""), json(1), json("/etc/passwd")})
            QVERIFY(!error_of([&] { fetch(path); }).isEmpty());
        QVERIFY(!error_of([&] {
                     joined.far->call("files.fetch", {{"files", json::array({{{"path", "p"}, {"transfer", 3}}})}});
                 }).isEmpty());
        QVERIFY(!error_of([&] { joined.far->call("files.fetch", {{"remove", "../root"}}); }).isEmpty());
        QVERIFY(!error_of([&] { joined.far->call("files.none", json::object()); }).isEmpty());
        QVERIFY(fs::exists(root / "l/x"));
        // An offer that fails in the middle leaves nothing open: the same file can be begun again.
        const json part = {{"digest", std::string(64, 'd')}, {"size", 70'000}, {"paths", json::array({"part"})}};
        QVERIFY(!error_of([&] { joined.far->call("files.offer", {{"files", json::array({part, 3})}}); }).isEmpty());
        const auto parts = [&] {
            return std::ranges::count_if(fs::recursive_directory_iterator(joined.folder / "data"),
                                         [](const auto& each) { return each.path().extension() == ".part"; });
        };
        QCOMPARE(parts(), 1);
        joined.far->call("files.offer", {{"files", json::array({part})}});
        QCOMPARE(parts(), 1);
        // Pieces: of no file, out of order, twice, too many.
        const std::string content = noise(100'000, 9);
        const auto offer = [&] {
            const json answer =
                joined.far->call("files.offer", {{"files", json::array({{{"digest", compiler::sha256_hex(content)},
                                                                         {"size", content.size()},
                                                                         {"paths", json::array({"big"})}}})}});
            return answer["wanted"][0]["transfer"].get<std::uint64_t>();
        };
        const auto piece = [&](std::uint64_t transfer, std::uint64_t offset, std::size_t size) {
            const auto bytes = std::as_bytes(std::span(content)).subspan(0, size);
            return encode({.kind = Piece::Kind::raw,
                           .transfer = transfer,
                           .offset = offset,
                           .size = static_cast<std::uint32_t>(size),
                           .body = bytes});
        };
        QVERIFY_THROWS_EXCEPTION(TransferError, joined.far->receive_bulk(piece(77, 0, 10)));
        QVERIFY_THROWS_EXCEPTION(TransferError, joined.far->receive_bulk(piece(offer(), 10, 10)));
        std::uint64_t transfer = offer();
        joined.far->receive_bulk(piece(transfer, 0, 10));
        QVERIFY_THROWS_EXCEPTION(TransferError, joined.far->receive_bulk(piece(transfer, 0, 10)));
        transfer = offer();
        QVERIFY_THROWS_EXCEPTION(TransferError,
                                 joined.far->receive_bulk(encode({.kind = Piece::Kind::stored, .transfer = transfer})));
        transfer = offer();
        joined.far->receive_bulk(piece(transfer, 10, content.size() - 10)); // the wrong bytes: told, and removed
        QVERIFY(!fs::exists(root / "big"));
        transfer = offer();
        joined.far->receive_bulk(piece(transfer, 0, content.size()));
        QVERIFY(text_of(root / "big") == content);
    }

    // Each side in threads of its own: two requests bring files while a third fetches a result.
    void both_sides_work_at_once() {
        const fs::path folder = base_ / "far12", held = folder / "held/a", target = base_ / "near/keep/at-once.npy";
        std::unique_ptr<FarFiles> far;
        std::unique_ptr<NearFiles> near;
        auto to_far = std::make_unique<Pipe>([&](std::span<const std::byte> bytes) { far->receive_bulk(bytes); });
        auto to_near = std::make_unique<Pipe>([&](std::span<const std::byte> bytes) { near->receive_bulk(bytes); });
        far = std::make_unique<FarFiles>(FarFiles::Settings{.folder = folder, .held = held},
                                         [&](std::span<const std::byte> bytes) { return to_near->send(bytes); });
        std::mutex control;
        near = std::make_unique<NearFiles>(
            worker::Access{}, false,
            NearFiles::Channelling{.ask =
                                       [&](const std::string& method, const json& params, const NearFiles::Cancelled&) {
                                           const std::scoped_lock lock(control);
                                           return far->call(method, params);
                                       },
                                   .send_bulk = [&](std::span<const std::byte> bytes) { return to_far->send(bytes); }});
        near->set_far({{"held", held.string()}, {"root", FarFiles::root_of(held).string()}});
        const auto path_of = [&](int i) { return session_ / ("at-once" + std::to_string(i) + ".bin"); };
        for (int i = 0; i < 9; ++i)
            write(path_of(i), noise(700'000, static_cast<unsigned>(100 + i)));
        const auto bring = [&](int first) {
            for (int i = first; i < first + 6; ++i) {
                const json prepared = near->prepare("buffer.open", {{"path", path_of(i).string()}}, i, never);
                if (text_of(prepared["path"].get<std::string>()) != text_of(path_of(i))) qFatal("other bytes");
            }
        };
        std::thread one([&] { bring(0); }), other([&] { bring(3); }); // three files twice
        const std::string content = noise(5'000'000, 200);
        for (int id = 100; id < 103; ++id) {
            const json prepared = near->prepare("buffer.save", {{"path", target.string()}}, id, never);
            write(prepared["path"].get<std::string>(), content);
            (void)near->finish("buffer.save", prepared, {{"path", "x"}}, id, never);
            QVERIFY(text_of(target) == content);
            fs::remove(target);
        }
        one.join();
        other.join();
        to_near->close(); // what FarFiles may wait for
        far.reset();
        to_far.reset();
        to_near.reset();
        near.reset();
    }

    void large_results_are_fetched_whole_or_not() {
        Joined joined(base_ / "far8", "a", {.read = {}, .write = {base_ / "near/keep"}}, true);
        const std::string content = noise(3'000'000, 10) + std::string(30'000'000, 'z');
        const fs::path target = base_ / "near/keep/large.npy";
        const auto save = [&](int id) {
            const json prepared =
                joined.near->prepare("buffer.save", {{"buffer", 1}, {"path", target.string()}}, id, never);
            write(prepared["path"].get<std::string>(), content);
            return prepared;
        };
        json prepared = save(1);
        const json answer = joined.near->finish("buffer.save", prepared, {{"path", prepared["path"]}}, 1, never);
        QCOMPARE(answer["path"].get<std::string>(), target.string());
        QVERIFY(text_of(target) == content);
        QVERIFY(fs::is_empty(joined.held() / "out"));
        // Stopped: the older file stays.
        prepared = save(2);
        write(target, "older");
        QVERIFY(error_of([&] {
                    joined.near->finish("buffer.save", prepared, {{"path", "x"}}, 2, [] { return true; });
                }).contains("stopped"));
        QVERIFY(text_of(target) == "older");
        // The disk is full here: a limit on files stands for it.
        prepared = save(4);
        const auto before = std::signal(SIGXFSZ, SIG_IGN);
        rlimit limit{};
        QCOMPARE(getrlimit(RLIMIT_FSIZE, &limit), 0);
        const rlimit small{10'000'000, limit.rlim_max};
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
        QByteArray full = error_of([&] { joined.near->finish("buffer.save", prepared, {{"path", "x"}}, 4, never); });
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &limit), 0);
        std::signal(SIGXFSZ, before);
        QVERIFY2(full.contains("cannot be written"), full.constData());
        QVERIFY(text_of(target) == "older");
        QCOMPARE(
            std::distance(fs::directory_iterator(target.parent_path()), {}),
            std::ranges::count_if(fs::directory_iterator(target.parent_path()), [](const fs::directory_entry& each) {
                return !each.path().filename().string().starts_with('.');
            })); // and nothing is left of it
        // The far side ends in the middle.
        prepared = save(3);
        joined.answer = [&](const std::string&, const json& params) {
            const auto transfer = params["files"][0]["transfer"].get<std::uint64_t>();
            Packer packer;
            joined.near->receive_bulk(packer.piece(transfer, 0, std::vector<std::byte>(1000)));
            joined.near->close();
            return json{{"files", json::array({{{"size", 5000u}, {"transfer", transfer}}})}};
        };
        const QByteArray error =
            error_of([&] { joined.near->finish("buffer.save", prepared, {{"path", "x"}}, 3, never); });
        QVERIFY2(error.contains("the connection to me@far was lost"), error.constData());
        QVERIFY(text_of(target) == "older");
    }
};

QTEST_GUILESS_MAIN(MappedTransferTest)
#include "mapped_transfer_test.moc"
