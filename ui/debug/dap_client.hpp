// SPDX-License-Identifier: GPL-3.0-or-later
/// A process that speaks the Debug Adapter Protocol on its standard input and output. It knows requests, answers and
/// events, and nothing of what they mean.
#pragma once

#include <QByteArray>
#include <QHash>
#include <QObject>
#include <QProcess>
#include <QTimer>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

namespace warplight::ui {

/// Finds messages in a stream of bytes: `Content-Length: 17`, an empty line, JSON.
class DapReader {
public:
    void append(const QByteArray& bytes) { bytes_ += bytes; }
    /// The next message that is complete; an object. Nothing: more bytes are needed, or problem() says what is wrong
    /// with the stream for good.
    std::optional<nlohmann::json> next();
    const QString& problem() const { return problem_; }

private:
    bool readHead();
    void fail(const QString& problem);

    QByteArray bytes_;
    qsizetype length_ = -1; ///< of the message behind a head that was read
    QString problem_;
};

struct DapReply {
    bool ok = false;
    nlohmann::json body = nlohmann::json::object();
    QString error; ///< a sentence, when not ok
};

/// An event of the protocol.
struct DapEvent {
    QString name;
    nlohmann::json body;
};

class DapClient : public QObject {
    Q_OBJECT
public:
    using Answer = std::function<void(const DapReply&)>;

    explicit DapClient(QObject* parent = nullptr);
    /// Kills the process.
    ~DapClient() override;

    /// Once. `ended` follows if it cannot be started.
    void start(const QString& program, const QStringList& arguments);
    qint64 processId() const { return process_.processId(); }
    /// The answer comes later. It does not when the process ends before, which `ended` tells.
    void request(const QString& command, nlohmann::json arguments, const Answer& answer = {});
    /// Asks the process to end, and kills it after a short while. Only `ended` follows.
    void end();
    bool isOver() const { return finished_; }

signals:
    void told(const warplight::ui::DapEvent& event);
    /// The process is gone or has sent nonsense. Empty: end() was called.
    void ended(const QString& why);

private:
    void read();
    void take(const nlohmann::json& message);
    void finish(const QString& why);

    QProcess process_;
    DapReader reader_;
    QHash<int, Answer> open_;
    QByteArray errors_; ///< the end of its standard error
    QTimer grace_;
    int sequence_ = 0;
    bool ending_ = false, finished_ = false;
};

} // namespace warplight::ui
