// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/debug/dap_client.hpp"

#include "worker/confinement.hpp"

#include <QPointer>
#include <QProcessEnvironment>
#include <utility>

namespace warplight::ui {
namespace {

constexpr qsizetype mostHead = 4096;                   ///< bytes
constexpr qsizetype mostMessage = qsizetype(64) << 20; ///< bytes
constexpr qsizetype mostErrors = 4096;                 ///< bytes that are kept
constexpr int dapGraceMs = 700;

std::string memberText(const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

int memberNumber(const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number_integer() ? found->get<int>() : -1;
}

nlohmann::json memberBody(const nlohmann::json& message) {
    const auto found = message.find("body");
    return found != message.end() && found->is_object() ? *found : nlohmann::json::object();
}

} // namespace

void DapReader::fail(const QString& problem) {
    problem_ = problem;
    bytes_.clear();
}

bool DapReader::readHead() {
    const qsizetype end = bytes_.indexOf("\r\n\r\n");
    const qsizetype shown = end < 0 ? bytes_.size() : end;
    const auto isNoHead = [&] {
        fail(DapClient::tr("It sent “%1”, which is no message of the protocol.")
                 .arg(QString::fromUtf8(bytes_.left(60)).simplified()));
        return false;
    };
    // A program that prints something else is told from one whose head is not complete yet.
    constexpr QByteArrayView word("content-length:");
    const QByteArray begin = bytes_.left(word.size()).toLower();
    if (!word.toByteArray().startsWith(begin) || shown > mostHead) return isNoHead();
    if (end < 0) return false;
    const QList<QByteArray> lines = bytes_.left(end).split('\n');
    bool isNumber = false;
    const qlonglong length = lines.front().mid(word.size()).trimmed().toLongLong(&isNumber);
    if (!isNumber || length < 0 || length > mostMessage) return isNoHead();
    bytes_.remove(0, end + 4);
    length_ = qsizetype(length);
    return true;
}

std::optional<nlohmann::json> DapReader::next() {
    if (!problem_.isEmpty() || bytes_.isEmpty()) return std::nullopt;
    if (length_ < 0 && !readHead()) return std::nullopt;
    if (bytes_.size() < length_) return std::nullopt;
    auto message = nlohmann::json::parse(bytes_.cbegin(), bytes_.cbegin() + length_, nullptr, false);
    bytes_.remove(0, std::exchange(length_, -1));
    if (message.is_object()) return message;
    fail(DapClient::tr("It sent a message that is no JSON object."));
    return std::nullopt;
}

DapClient::DapClient(QObject* parent) : QObject(parent) {
    grace_.setSingleShot(true);
    grace_.setInterval(dapGraceMs);
    connect(&grace_, &QTimer::timeout, &process_, &QProcess::kill);
    connect(&process_, &QProcess::readyReadStandardOutput, this, &DapClient::read);
    connect(&process_, &QProcess::readyReadStandardError, this,
            [this] { errors_ = (errors_ + process_.readAllStandardError()).right(mostErrors); });
    connect(&process_, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        read();
        errors_ = (errors_ + process_.readAllStandardError()).right(mostErrors);
        QString why = status == QProcess::CrashExit ? tr("Its process was ended or has crashed.")
                                                    : tr("Its process ended with the exit code %1.").arg(code);
        const QString said = QString::fromUtf8(errors_).trimmed().section(QLatin1Char('\n'), -1);
        if (!said.isEmpty()) why += QLatin1Char(' ') + tr("It said: %1").arg(said);
        finish(why);
    });
    connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            finish(tr("warplight-cli cannot be started: %1.").arg(process_.errorString()));
    });
}

DapClient::~DapClient() {
    process_.disconnect(this);
    if (process_.state() == QProcess::NotRunning) return;
    process_.kill();
    process_.waitForFinished(2000);
}

void DapClient::start(const QString& program, const QStringList& arguments) {
    QProcessEnvironment passed;
    const QProcessEnvironment own = QProcessEnvironment::systemEnvironment();
    for (const QString& name : own.keys())
        if (worker::is_passed_on(name.toStdString())) passed.insert(name, own.value(name));
    process_.setProcessEnvironment(passed);
    process_.start(program, arguments);
}

void DapClient::request(const QString& command, nlohmann::json arguments, const Answer& answer) {
    if (finished_) return;
    const int number = ++sequence_;
    if (answer) open_.insert(number, answer);
    const nlohmann::json message{
        {"seq", number}, {"type", "request"}, {"command", command.toStdString()}, {"arguments", std::move(arguments)}};
    const std::string text = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    process_.write("Content-Length: " + QByteArray::number(qsizetype(text.size())) + "\r\n\r\n");
    process_.write(text.data(), qint64(text.size()));
}

void DapClient::end() {
    if (finished_ || std::exchange(ending_, true)) return;
    if (process_.state() == QProcess::NotRunning) return finish({});
    request(QStringLiteral("disconnect"), nlohmann::json::object());
    process_.closeWriteChannel();
    grace_.start();
}

void DapClient::read() {
    reader_.append(process_.readAllStandardOutput());
    const QPointer<DapClient> alive(this);
    while (const auto message = reader_.next()) {
        take(*message);
        if (!alive) return;
    }
    if (reader_.problem().isEmpty() || finished_) return;
    process_.kill();
    finish(reader_.problem());
}

void DapClient::take(const nlohmann::json& message) {
    const std::string type = memberText(message, "type");
    if (type == "event") {
        if (!ending_) emit told({QString::fromStdString(memberText(message, "event")), memberBody(message)});
        return;
    }
    if (type != "response") return; // requests of the adapter: this client offers none
    const Answer answer = open_.take(memberNumber(message, "request_seq"));
    if (!answer || ending_) return;
    DapReply reply;
    const auto success = message.find("success");
    reply.ok = success != message.end() && success->is_boolean() && success->get<bool>();
    reply.body = memberBody(message);
    if (!reply.ok) reply.error = QString::fromStdString(memberText(message, "message"));
    if (!reply.ok && reply.error.isEmpty()) reply.error = tr("The debugger refused it and did not say why.");
    answer(reply);
}

void DapClient::finish(const QString& why) {
    if (std::exchange(finished_, true)) return;
    grace_.stop();
    open_.clear();
    emit ended(ending_ ? QString() : why);
}

} // namespace warplight::ui
