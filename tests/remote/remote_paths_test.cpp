// SPDX-License-Identifier: Apache-2.0
// Near paths as far ones and back, for machines with paths of both styles.
#include "remote/path_map.hpp"

#include <QtTest>

using namespace warplight::remote;

namespace {

const std::string root = "/far/held/0123/root";

PathMap linux_map() {
    PathMap map(PathStyle::linux_style);
    map.set_root(root);
    return map;
}

PathMap windows_map() {
    PathMap map(PathStyle::windows_style);
    map.set_root(root);
    return map;
}

QString text(const std::optional<std::string>& value) {
    return value ? QString::fromStdString(*value) : QStringLiteral("(none)");
}

} // namespace

class RemotePathsTest : public QObject {
    Q_OBJECT
private slots:
    void paths_of_linux() {
        const PathMap map = linux_map();
        QCOMPARE(text(map.below_root("/home/me/x.npy")), "home/me/x.npy");
        QCOMPARE(text(map.below_root("/home//me/./a/../x.npy/")), "home/me/x.npy");
        QCOMPARE(text(map.below_root("/../../etc")), "etc");
        QCOMPARE(text(map.below_root("/")), "");
        QCOMPARE(text(map.below_root("x.npy")), "(none)");
        QCOMPARE(text(map.below_root("C:\\x")), "(none)");
        QCOMPARE(text(map.below_root("/a\\b")), "a\\b"); // a name with a backslash
        QCOMPARE(text(map.to_far("/home/me/x.npy")), root.c_str() + QStringLiteral("/home/me/x.npy"));
        QCOMPARE(text(map.to_far("/")), QString::fromStdString(root));
    }

    void paths_of_windows() {
        const PathMap map = windows_map();
        QCOMPARE(text(map.below_root("C:\\d\\x.npy")), "C/d/x.npy");
        QCOMPARE(text(map.below_root("c:/d/x.npy")), "C/d/x.npy");
        QCOMPARE(text(map.below_root("c:\\d\\.\\..\\..\\..\\x")), "C/x"); // a drive is its own parent
        QCOMPARE(text(map.below_root("\\\\?\\D:\\x y\\z")), "D/x y/z");
        QCOMPARE(text(map.below_root("\\\\server\\share\\x")), "UNC/server/share/x");
        QCOMPARE(text(map.below_root("\\\\?\\UNC\\server\\share\\x")), "UNC/server/share/x");
        QCOMPARE(text(map.below_root("\\\\server\\share\\..\\..\\x")), "UNC/server/share/x");
        QCOMPARE(text(map.below_root("C:x")), "(none)"); // starts at the current folder of that drive
        QCOMPARE(text(map.below_root("\\d\\x")), "(none)");
        QCOMPARE(text(map.below_root("/home/me")), "(none)");
        QCOMPARE(text(map.to_far("C:\\")), QString::fromStdString(root + "/C"));
    }

    void texts_of_sessions() {
        const PathMap linux_paths = linux_map();
        const auto here = [&](const char* path) {
            return QString::fromStdString(linux_paths.to_far_text(path, "/home/me/s"));
        };
        QCOMPARE(here("data/x.npy"), "data/x.npy");
        QCOMPARE(here("../x.npy"), "../x.npy");
        QCOMPARE(here("../../../x.npy"), "../../../x.npy"); // the root itself
        // Further up the far machine has folders of its own.
        QCOMPARE(here("../../../../etc/x.npy"), QString::fromStdString(root + "/etc/x.npy"));
        QCOMPARE(here("a/../../../../../x.npy"), QString::fromStdString(root + "/x.npy"));
        QCOMPARE(here("/data/x.npy"), QString::fromStdString(root + "/data/x.npy"));
        QCOMPARE(here("a\\b"), "a\\b");

        const PathMap windows_paths = windows_map();
        const auto there = [&](const char* path) {
            return QString::fromStdString(windows_paths.to_far_text(path, "C:\\Users\\me\\s"));
        };
        QCOMPARE(there("data\\x.npy"), "data/x.npy");
        QCOMPARE(there("..\\x.npy"), "../x.npy");
        QCOMPARE(there("D:\\data\\x.npy"), QString::fromStdString(root + "/D/data/x.npy"));
        QCOMPARE(there("..\\..\\..\\..\\x"), QString::fromStdString(root + "/C/x"));
    }

    void answers_for_linux() {
        PathMap map = linux_map();
        map.add_root("/real/held/0123/root");
        map.add_folder("/home/me/runs/k", "/far/kept/ab");
        map.add_answer("/far/held/0123/out/1/0/y.npy", "/home/me/s/results/y.npy");
        const auto near = [&](const std::string& far) { return QString::fromStdString(map.to_near_text(far)); };
        QCOMPARE(near(root + "/home/me/x.npy cannot be opened"), "/home/me/x.npy cannot be opened");
        QCOMPARE(near("a " + root + "/b.cu(3): see " + root + "/c d.h"), "a /b.cu(3): see /c d.h");
        QCOMPARE(near("/real/held/0123/root/x"), "/x");
        QVERIFY(map.names_far_files("\x63/real/held/0123/root/x"));
        QVERIFY(!map.names_far_files("/real/held/0124/root/x"));
        QCOMPARE(near("in " + root + "."), "in /.");
        QCOMPARE(near(root + "2/x"), QString::fromStdString(root + "2/x")); // another folder
        QCOMPARE(near("/far/kept/ab/results-1-0.npy"), "/home/me/runs/k/results-1-0.npy");
        QCOMPARE(near("Argument 1 cannot be saved as /far/held/0123/out/1/0/y.npy: full."),
                 "Argument 1 cannot be saved as /home/me/s/results/y.npy: full.");
        QCOMPARE(near("/usr/include/x.h"), "/usr/include/x.h");
        map.remove_answer("/far/held/0123/out/1/0/y.npy");
        QCOMPARE(near("/far/held/0123/out/1/0/y.npy"), "/far/held/0123/out/1/0/y.npy");
        QCOMPARE(text(map.to_far("/home/me/runs/k/a.npy")), "/far/kept/ab/a.npy");
        QCOMPARE(text(map.to_far("/home/me/runs/k2/a.npy")), QString::fromStdString(root + "/home/me/runs/k2/a.npy"));
    }

    void answers_for_windows() {
        PathMap map = windows_map();
        map.add_folder("C:\\k", "/far/kept/ab");
        const auto near = [&](const std::string& far) { return QString::fromStdString(map.to_near_text(far)); };
        QCOMPARE(near(root + "/C/d/x.npy: cannot be opened, and/or not read"),
                 "C:\\d\\x.npy: cannot be opened, and/or not read");
        QCOMPARE(near(root + "/UNC/server/share/x.h(3)"), "\\\\server\\share\\x.h(3)");
        QCOMPARE(near("in " + root + "/C"), "in C:\\");
        QCOMPARE(near("/far/kept/ab/a/b.npy"), "C:\\k\\a\\b.npy");
        // A name with a blank ends at it, unless the path is known.
        map.add_known("C:\\my data\\x y.npy");
        map.add_known("C:\\my data");
        map.add_known("C:\\my");
        QCOMPARE(near(root + "/C/my data/x y.npy lies outside"), "C:\\my data\\x y.npy lies outside");
        QCOMPARE(near(root + "/C/my data/sub/z.h is wrong"), "C:\\my data\\sub\\z.h is wrong");
        QCOMPARE(near(root + "/C/my database/z"), "C:\\my database/z"); // as far as anybody knows
        QCOMPARE(near(root + "/C/myself/z"), "C:\\myself\\z");
    }
};

QTEST_APPLESS_MAIN(RemotePathsTest)
#include "remote_paths_test.moc"
