// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/file_reader.hpp"

#include "ui/common/worker_connection.hpp"

#include <chrono>
#include <utility>

namespace warplight::ui {

FileReader::FileReader(QObject* parent) : QObject(parent) {
    idle_.setSingleShot(true);
    idle_.setInterval(std::chrono::seconds(20));
    connect(&idle_, &QTimer::timeout, this, [this] {
        if (!busy_) worker_.reset();
    });
}

FileReader::~FileReader() { worker_.reset(); } // whose last answers find the requests

void FileReader::list(const QString& path, QObject* context, MembersDone done) {
    requests_.push_back({path, context, std::move(done)});
    if (!busy_) QTimer::singleShot(0, this, &FileReader::next);
}

void FileReader::next() {
    while (!busy_ && !requests_.empty() && !requests_.front().context)
        requests_.pop_front();
    if (busy_ || requests_.empty()) return;
    busy_ = true;
    idle_.stop();
    if (!worker_) worker_ = std::make_unique<WorkerConnection>(QStringLiteral("software"));
    listMembers(*worker_, requests_.front().path, this,
                [this](const QList<ContainerMember>& members, const QString& problem) {
                    const Request request = std::move(requests_.front());
                    requests_.pop_front();
                    busy_ = false;
                    idle_.start();
                    if (request.context) request.done(members, problem);
                    QTimer::singleShot(0, this, &FileReader::next);
                });
}

} // namespace warplight::ui
