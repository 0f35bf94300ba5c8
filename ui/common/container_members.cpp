// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/container_members.hpp"

#include "ui/common/format.hpp"
#include "ui/common/worker_connection.hpp"

#include <QCoreApplication>
#include <nlohmann/json.hpp>
#include <utility>

namespace warplight::ui {
namespace {

ContainerMember memberFromJson(const nlohmann::json& json) {
    return {QString::fromStdString(json.value("name", "")), QString::fromStdString(json.value("dtype", "")),
            json.value("shape", std::vector<qint64>()), QString::fromStdString(json.value("problem", ""))};
}

} // namespace

QString ContainerMember::text() const {
    if (!problem.isEmpty()) return QStringLiteral("%1 — %2").arg(name, problem);
    if (shape.empty())
        return QStringLiteral("%1 — %2").arg(
            name, QCoreApplication::translate("ContainerMember", "%1, one number").arg(type));
    return QStringLiteral("%1 — %2, %3").arg(name, type, formatShape(shape));
}

void listMembers(WorkerConnection& worker, const QString& path, QObject* context, MembersDone done) {
    worker.request(QStringLiteral("buffer.members"), {{"path", path.toStdString()}}, {}, context,
                   [done = std::move(done)](const WorkerReply& reply) {
                       QList<ContainerMember> members;
                       QString problem = reply.error;
                       try {
                           if (reply.ok)
                               for (const nlohmann::json& each : reply.result.at("members"))
                                   members << memberFromJson(each);
                       } catch (const nlohmann::json::exception& error) {
                           problem = QString::fromUtf8(error.what());
                       }
                       done(members, problem);
                   });
}

} // namespace warplight::ui
