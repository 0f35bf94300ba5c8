// SPDX-License-Identifier: GPL-3.0-or-later
// Questions of ssh, which the window asks: passwords, host keys and confirmations.
#include "test_home.hpp"

#include "ui/askpass/askpass_dialog.hpp"
#include "ui/common/theme.hpp"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QTimer>

using namespace warplight;
using namespace warplight::ui;

namespace {
constexpr int patience = 90000; // a machine that is busy with other things
}

class TestAskpass : public QObject {
    Q_OBJECT
private slots:
    void questionsOfSsh_data();
    void questionsOfSsh();
    void theProgramAsks();
    void answersAreWritten_data();
    void answersAreWritten();
};

void TestAskpass::questionsOfSsh_data() {
    QTest::addColumn<QString>("prompt");
    QTest::addColumn<QString>("hint");
    QTest::addColumn<int>("kind");
    const QString key = "The authenticity of host 'box (10.0.0.7)' can't be established.\nED25519 key fingerprint is "
                        "SHA256:abc.\nAre you sure you want to continue connecting (yes/no/[fingerprint])? ";
    QTest::newRow("password") << "me@box's password: " << "" << int(AskpassDialog::Kind::Secret);
    QTest::newRow("passphrase") << "Enter passphrase for key '/home/me/.ssh/id': " << ""
                                << int(AskpassDialog::Kind::Secret);
    QTest::newRow("host key") << key << "" << int(AskpassDialog::Kind::HostKey);
    QTest::newRow("agent") << "Allow use of key id?" << "confirm" << int(AskpassDialog::Kind::Confirm);
    QTest::newRow("touch") << "Confirm user presence" << "none" << int(AskpassDialog::Kind::Note);
}

void TestAskpass::questionsOfSsh() {
    QFETCH(QString, prompt);
    QFETCH(QString, hint);
    QFETCH(int, kind);
    const auto theme = Theme::shared();
    AskpassDialog dialog(prompt, hint, *theme);
    QCOMPARE(int(dialog.kind()), kind);
    dialog.show();
    const auto* text = dialog.findChild<QLabel*>("prompt");
    QCOMPARE(text->textFormat(), Qt::PlainText);
    QCOMPARE(text->text(), prompt.trimmed());
    auto* secret = dialog.findChild<QLineEdit*>("secret");
    auto* yes = dialog.findChild<QPushButton*>("yes");
    if (kind == int(AskpassDialog::Kind::Secret)) {
        QCOMPARE(secret->echoMode(), QLineEdit::Password);
        QTest::keyClicks(secret, "s3cret");
        QTest::keyClick(secret, Qt::Key_Return);
        QCOMPARE(dialog.result(), int(QDialog::Accepted));
        QCOMPARE(dialog.answer(), QString("s3cret"));
    } else if (yes) {
        QTest::keyClick(&dialog, Qt::Key_Return); // agrees to nothing
        QCOMPARE(dialog.result(), int(QDialog::Rejected));
        dialog.show();
        yes->click();
        QCOMPARE(dialog.result(), int(QDialog::Accepted));
        QCOMPARE(dialog.answer(), QString("yes"));
    } else {
        QVERIFY(!secret && dialog.answer().isEmpty());
    }
}

void TestAskpass::theProgramAsks() {
    // As ssh starts it. Nobody is there to answer; it ends by being told to.
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("WARPLIGHT_ASKPASS", WARPLIGHT_TEST_WINDOW);
    environment.insert("SSH_ASKPASS", WARPLIGHT_TEST_WINDOW);
    QProcess asks;
    asks.setProcessEnvironment(environment);
    asks.start(WARPLIGHT_TEST_WINDOW, {"me@box's password: "});
    QVERIFY(asks.waitForStarted());
    QVERIFY(!asks.waitForFinished(1500)); // it waits for an answer
    QVERIFY(asks.readAllStandardOutput().isEmpty());
    asks.terminate();
    QVERIFY(asks.waitForFinished(patience));
    QVERIFY(asks.exitStatus() == QProcess::CrashExit || asks.exitCode() != 0);
    // The same text without ssh is a file's name, which is not there.
    environment.remove("SSH_ASKPASS");
    asks.setProcessEnvironment(environment);
    asks.start(WARPLIGHT_TEST_WINDOW, {"--version"});
    QVERIFY(asks.waitForFinished(patience));
    QVERIFY(asks.readAllStandardOutput().startsWith("warplight "));
}

void TestAskpass::answersAreWritten_data() {
    QTest::addColumn<QString>("prompt");
    QTest::addColumn<QString>("press");
    QTest::addColumn<QByteArray>("written");
    QTest::addColumn<int>("exitCode");
    const QString key = "Are you sure you want to continue connecting (yes/no/[fingerprint])? ";
    QTest::newRow("password") << "me@box's password: " << "öpen sesame" << QByteArray("öpen sesame\n") << 0;
    QTest::newRow("no password") << "me@box's password: " << "cancel" << QByteArray() << 1;
    QTest::newRow("key taken") << key << "yes" << QByteArray("yes\n") << 0;
    QTest::newRow("key refused") << key << "cancel" << QByteArray() << 1;
}

void TestAskpass::answersAreWritten() {
    QFETCH(QString, prompt);
    QFETCH(QString, press);
    QProcess asks; // this program, which answers itself: see main()
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("ASKPASS_PRESS", press);
    asks.setProcessEnvironment(environment);
    asks.start(QCoreApplication::applicationFilePath(), {prompt});
    QVERIFY(asks.waitForFinished(patience));
    QTEST(asks.readAllStandardOutput(), "written");
    QTEST(asks.exitCode(), "exitCode");
}

int main(int argc, char** argv) {
    TestHome home;
    if (const QString press = qEnvironmentVariable("ASKPASS_PRESS"); !press.isEmpty()) {
        int one = 1;
        QApplication application(one, argv);
        QTimer::singleShot(0, &application, [press] {
            auto* dialog = qobject_cast<AskpassDialog*>(QApplication::activeModalWidget());
            if (!dialog) std::_Exit(99);
            if (press == "cancel")
                return dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Cancel)->click();
            if (auto* yes = dialog->findChild<QPushButton*>("yes")) return yes->click();
            dialog->findChild<QLineEdit*>("secret")->setText(press);
            dialog->accept();
        });
        return runAskpass(QString::fromLocal8Bit(argv[1]));
    }
    QApplication application(argc, argv);
    TestAskpass test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_askpass.moc"
