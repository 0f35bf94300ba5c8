// SPDX-License-Identifier: Apache-2.0
// Requests over a mapped folder: a worker that has only what was sent runs sessions as a local one does.
#include "mapped_fixture.hpp"

#include <sys/stat.h>

class RemoteFilesTest : public MappedFixture {
    Q_OBJECT
private slots:
    void initTestCase() { open_sides(); }
    void cleanupTestCase() { close_sides(); }

    void a_run_is_the_same() {
        json arguments = scale_arguments();
        arguments[1]["save"] = "results/y.npy";
        arguments[1]["expect"] = {{"path", "expected.npy"}};
        const json compile = {{"compile", {{"options", json::array({"-Iinc"})}}}};
        const json allow = {{"allow", json::array({(base_ / "near/a/shared.h").string()})}};
        QVERIFY(same(params_of(document(arguments, compile), allow), "ok", {"results/y.npy"}));
        QVERIFY(text_of(session_ / "results/y.npy").ends_with(npy({1, 4, 7, 10, 13, 16, 19, 22}).substr(128)));
        // Once more: each file is there, and the result may be replaced.
        const int asked = joined_->asked;
        QVERIFY(same(params_of(document(arguments, compile), allow), "ok"));
        QCOMPARE(joined_->asked - asked, 1); // for the result
        // Nothing of results stays there.
        QVERIFY(fs::is_empty(joined_->held() / "out"));
        // The source of an editor, another input, a failed expectation.
        const json edited = {{"source_text",
                              "#define FACTOR 2\n#define DEEP 0\nextern \"C\" __global__ void scale(const "
                              "float* x, float* y) { y[threadIdx.x] = FACTOR * x[threadIdx.x] + DEEP; }"}};
        QVERIFY(same(params_of(document(arguments), edited), "expectation_failed"));
        // The expected result is that of another session.
        write(session_ / "other.warplight", document(arguments).dump());
        json by_session = scale_arguments();
        by_session[1]["expect"] = {{"session", "other.warplight"}, {"argument", "y"}};
        QVERIFY(same(params_of(document(by_session), edited), "ok"));
        // All results in one file, and each format.
        json several = scale_arguments();
        several.push_back(several[1]);
        several[2]["name"] = "z";
        several[1]["save"] = several[2]["save"] = "both.npz";
        const json two = {{"source_text",
                           "extern \"C\" __global__ void scale(const float* x, float* y, float* z) {\n"
                           "    y[threadIdx.x] = x[threadIdx.x]; z[threadIdx.x] = 2 * x[threadIdx.x]; }"}};
        QVERIFY(same(params_of(document(several), two), "ok", {"both.npz"}));
        several[1]["save"] = "y.csv";
        several[2]["save"] = "z.txt";
        QVERIFY(same(params_of(document(several), two), "ok", {"y.csv", "z.txt"}));
        several[2]["save"] = "z.wav"; // which has the time in it
        QVERIFY(same(params_of(document(several), two), "ok"));
    }

    // Typed on a command line: paths may lead anywhere, and options start at the current folder.
    void a_typed_run_is_the_same() {
        json arguments = scale_arguments((session_ / "x.npy").string());
        arguments[1]["save"] = (base_ / "near/keep/typed.npy").string();
        arguments[1]["expect"] = {{"path", "../../../../../../../../../.." + (session_ / "expected.npy").string()}};
        json session = document(
            arguments, {{"compile", {{"options", json::array({"-I", fs::relative(session_ / "inc").string()})}}}});
        session["source"] = (session_ / "k.cu").string();
        QVERIFY(same(params_of(session, {{"trusted", true}}), "ok", {"../../keep/typed.npy"}));
        QVERIFY(same(params_of(session, {{"trusted", true}}), "ok")); // a typed result replaces any file
        session["arguments"][1]["save"] = (session_ / "x.npy").string();
        QVERIFY(same(params_of(session, {{"trusted", true}}), "input_error"));
    }

    void every_kind_of_file_is_read() {
        write(session_ / "raw.bin", npy({9, 8, 7, 6, 5, 4, 3, 2}));
        write(session_ / "t.csv", "a,b\n1,2\n3,4\n");
        write(session_ / "t.txt", "1 2 3\n4 5 6\n");
        write(session_ / "i.pgm", "P5\n2 2\n255\nabcd");
        const json buffer = call_here("buffer.open", {{"path", (session_ / "x.npy").string()}});
        std::vector<std::string> made = {"x.npz", "x.wav"};
        if (!call_here("buffer.save", {{"buffer", buffer["buffer"]}, {"path", (session_ / "x.h5").string()}})
                 .contains("request_error"))
            made.push_back("x.h5");
        for (const std::string& name : made)
            (void)call_here("buffer.save", {{"buffer", buffer["buffer"]}, {"path", (session_ / name).string()}});
        json sources = json::array(
            {{{"kind", "file"}, {"path", "x.npy"}},
             {{"kind", "file"}, {"path", "t.csv"}},
             {{"kind", "file"}, {"path", "t.txt"}},
             {{"kind", "file"}, {"path", "i.pgm"}},
             {{"kind", "file"}, {"path", "raw.bin"}, {"dtype", "float32"}, {"offset", 128}, {"shape", {2, 4}}},
             {{"kind", "formula"}, {"dtype", "float32"}, {"shape", json::array({8})}, {"expression", "a0 + i"}}});
        for (const std::string& name : made)
            sources.push_back({{"kind", "file"}, {"path", name}});
        json arguments = json::array();
        for (const json& source : sources)
            arguments.push_back(
                {{"name", "a" + std::to_string(arguments.size())}, {"direction", "in"}, {"source", source}});
        // The inputs alone are read, as after a lost worker.
        const json params = params_of(document(arguments), {{"lost_because", "It was lost."}});
        const json mine = run_here(params), theirs = run_there(params);
        QCOMPARE(pretty(compared(mine)), pretty(compared(theirs)));
        QCOMPARE(mine["buffers"].size(), sources.size());
        for (std::size_t i = 0; i < sources.size(); ++i) {
            const auto bytes = [&](const json& report, worker::Client& client) {
                const auto reply = client.call_wait(
                    "buffer.bytes", {{"buffer", report["buffers"][i]["buffer"]}, {"offset", 0}, {"count", 4096}});
                return reply.ok ? (*reply.result)["data"] : json();
            };
            QVERIFY(!bytes(mine, *here_).is_null());
            QVERIFY2(bytes(mine, *here_) == bytes(theirs, *there_), pretty(sources[i]).constData());
        }
    }

    void what_lies_outside_is_refused_with_the_same_words() {
        const fs::path outside = base_ / "near/outside/x.npy";
        const json edited = {{"source_text", "extern \"C\" __global__ void scale(const float* x, float* y) {\n"
                                             "    y[threadIdx.x] = x[threadIdx.x]; }"}};
        for (const std::string& path : {outside.string(), std::string("../../outside/x.npy"),
                                        "../../../../../../../../../../.." + outside.string()}) {
            json params = params_of(document(scale_arguments(path)), edited);
            QVERIFY(same(params, "input_error"));
            params["allow"] = json::array({outside.parent_path().string()});
            QVERIFY(same(params, "ok"));
        }
        QVERIFY(!fs::exists(joined_->there(base_ / "near/outside/secret")));
        fs::create_symlink(outside, session_ / "link.npy");
        fs::create_directory_symlink("../../outside", session_ / "folder");
        for (const char* path : {"link.npy", "folder/x.npy"}) {
            json params = params_of(document(scale_arguments(path)), edited);
            QVERIFY(same(params, "input_error"));
            QVERIFY(run_there(params)["error"]["outside"][0] == outside.string());
            params["allow"] = json::array({outside.parent_path().string()});
            QVERIFY(same(params, "ok"));
        }
        // A header of the source.
        QVERIFY(same(params_of(document(scale_arguments(), {{"compile", {{"options", json::array({"-Iinc"})}}}})),
                     "input_error"));
        QVERIFY(same(
            params_of(document(scale_arguments(), {{"compile", {{"options", json::array({"-I/usr/share"})}}}}), edited),
            "input_error"));
    }

    void what_is_missing_or_no_file_is_told_with_the_same_words() {
        const json edited = {{"source_text", "extern \"C\" __global__ void scale(const float* x, float* y) {}"}};
        QVERIFY(same(params_of(document(scale_arguments("none.npy")), edited), "input_error"));
        QVERIFY(same(params_of(document(scale_arguments("inc")), edited), "input_error"));
        QCOMPARE(mkfifo((session_ / "pipe.npy").c_str(), 0600), 0);
        QVERIFY(same(params_of(document(scale_arguments("pipe.npy")), edited), "input_error"));
        json missing = document(scale_arguments());
        missing["source"] = "none.cu";
        QVERIFY(same(params_of(missing), "input_error"));
        QVERIFY(same(params_of(document(scale_arguments()),
                               {{"source_text", "#include \"none.h\"\nextern \"C\" __global__ void scale() {}"}}),
                     "compile_error"));
        json wrong = document(scale_arguments());
        wrong["arguments"][0]["direction"] = "sideways";
        QVERIFY(error_of([&] { run_there(params_of(wrong)); }) ==
                run_here(params_of(wrong))["request_error"].get<std::string>().c_str());
        // A device is no file: that is known here.
        json params = params_of(document(scale_arguments("/dev/null")), edited);
        params["trusted"] = true;
        joined_->near->forget(0);
        const QByteArray error = error_of([&] {
            NearFiles everything({}, false,
                                 {.ask = [](const auto&, json, const auto&) { return json::object(); },
                                  .send_bulk = [](auto) { return true; }});
            everything.set_far({{"held", "/far/held/1"}});
            (void)everything.prepare("run", params, 1, never);
        });
        QVERIFY2(error.startsWith("/dev/null: is a device"), error.constData());
        // What was there and is no more is removed there, too.
        write(session_ / "gone.npy", npy({1, 2, 3, 4, 5, 6, 7, 8}));
        QVERIFY(same(params_of(document(scale_arguments("gone.npy")), edited), "ok"));
        QVERIFY(fs::exists(joined_->there(session_ / "gone.npy")));
        fs::remove(session_ / "gone.npy");
        QVERIFY(same(params_of(document(scale_arguments("gone.npy")), edited), "input_error"));
        QVERIFY(!fs::exists(joined_->there(session_ / "gone.npy")));
        write(session_ / "gone.npy", npy({1, 2, 3, 4, 5, 6, 7, 9}));
        QVERIFY(same(params_of(document(scale_arguments("gone.npy")), edited), "ok"));
    }

    void results_replace_nothing_that_they_must_not() {
        const json edited = {{"source_text", "extern \"C\" __global__ void scale(const float* x, float* y) {\n"
                                             "    y[threadIdx.x] = x[threadIdx.x]; }"}};
        const auto saving = [&](const std::string& path, const json& more = json::object()) {
            json arguments = scale_arguments();
            arguments[1]["save"] = path;
            json params = params_of(document(arguments), edited);
            params.update(more);
            return params;
        };
        write(session_ / "precious.npy", npy({1}));
        const std::string before = text_of(session_ / "precious.npy");
        for (const char* path : {"precious.npy", "x.npy", "k.cu", "../y.npy", "y.exe", "/tmp/y.npy", "link.npy", "inc"})
            QVERIFY2(same(saving(path), "input_error"), path);
        QVERIFY(text_of(session_ / "precious.npy") == before);
        QVERIFY(run_there(saving("precious.npy"))["error"]["replaces"][0] == (session_ / "precious.npy").string());
        QVERIFY(same(saving("precious.npy", {{"overwrite", true}}), "ok"));
        // The session has written it there, and may replace it; a change by somebody else is kept.
        QCOMPARE(run_there(saving("precious.npy")).value("status", ""), "ok");
        QCOMPARE(run_here(saving("precious.npy")).value("status", ""), "ok");
        write(session_ / "precious.npy", npy({2}));
        QCOMPARE(run_there(saving("precious.npy")).value("status", ""), "input_error");
        // A folder where nothing can be written. The run and its report stay.
        write(session_ / "blocked", "a file");
        const json report = run_there(saving("blocked/y.npy"));
        QCOMPARE(report.value("status", ""), "input_error");
        QVERIFY2(QByteArray::fromStdString(report["error"]["message"]).contains("cannot be saved as"),
                 pretty(report["error"]).constData());
        QCOMPARE(report["outputs"].size(), 1u);
        QVERIFY(!report["outputs"][0].contains("saved"));
    }

    void compilations_find_their_headers() {
        const json params = {{"source", text_of(session_ / "k.cu")},
                             {"name", "k.cu"},
                             {"folder", session_.string()},
                             {"options", json::array({"-I", "inc"})},
                             {"allow", json::array({(base_ / "near/a").string()})}};
        const json there = call_there("compile", params), here = call_here("compile", params);
        QVERIFY2(there.value("ok", false), pretty(there).constData());
        QCOMPARE(there["kernels"], here["kernels"]);
        QCOMPARE(there["lines"], here["lines"]);
        // The far folder is named nowhere.
        QVERIFY(there.dump(-1, ' ', false, json::error_handler_t::replace).find("/far/held/") == std::string::npos);
        json refused = params;
        refused.erase("allow");
        QVERIFY(call_there("compile", refused)["outside"] == call_here("compile", refused)["outside"]);
        json layouts = params;
        layouts["kernel"] = "scale";
        QCOMPARE(call_there("layouts", layouts), call_here("layouts", layouts));
        json occupancy = {{"device", 0}, {"ptx", there["ptx"]}, {"kernel", "scale"}, {"block", 32}};
        QVERIFY2(!call_there("occupancy", occupancy).contains("request_error"), "occupancy");
    }

    void buffers_open_and_are_saved() {
        const json opened = call_there("buffer.open", {{"path", (session_ / "x.npz").string()}});
        QVERIFY2(!opened.contains("request_error"), pretty(opened).constData());
        QCOMPARE(call_there("buffer.members", {{"path", (session_ / "x.npz").string()}}),
                 call_here("buffer.members", {{"path", (session_ / "x.npz").string()}}));
        const fs::path target = base_ / "near/keep/saved.npy";
        json saved = call_there("buffer.save", {{"buffer", opened["buffer"]}, {"path", target.string()}});
        QVERIFY2(saved.value("path", "") == target.string(), pretty(saved).constData());
        QCOMPARE(text_of(target).size(), text_of(session_ / "x.npy").size());
        QVERIFY(fs::is_empty(joined_->held() / "out"));
        // Where this side may not write.
        QVERIFY(error_of([&] {
                    call_there("buffer.save", {{"buffer", opened["buffer"]}, {"path", (base_ / "y.npy").string()}});
                }).contains("lies outside of the folders"));
        QVERIFY(!fs::exists(base_ / "y.npy"));
        // A file that it may not read is not sent.
        write(base_ / "secret.npy", npy({1}));
        QVERIFY(call_there("buffer.open", {{"path", (base_ / "secret.npy").string()}}).contains("request_error"));
        QVERIFY(!fs::exists(joined_->there(base_ / "secret.npy")));
        // What a run keeps there opens again under its near name.
        json report =
            run_there(params_of(document(scale_arguments()),
                                {{"keep", (base_ / "near/keep").string()},
                                 {"source_text", "extern \"C\" __global__ void scale(const float* x, float* y) {}"}}));
        const std::string kept = report["buffers"][0].value("kept", "");
        QVERIFY2(kept.starts_with((base_ / "near/keep/").string()), pretty(report).constData());
        QVERIFY(!fs::exists(kept));
        QTRY_VERIFY(!call_there("buffer.open", {{"path", kept}}).contains("request_error"));
    }
};

QTEST_GUILESS_MAIN(RemoteFilesTest)
#include "remote_files_test.moc"
