// SPDX-License-Identifier: GPL-3.0-or-later
/// The panel Buffers with a real worker, and files for it.
#pragma once

#include "test_home.hpp"

#include "ui/buffers/buffer_list_model.hpp"
#include "ui/buffers/buffers_panel.hpp"
#include "ui/common/workbench.hpp"
#include "ui/common/worker_connection.hpp"
#include "warplight/ndarray.hpp"
#include "warplight/npy.hpp"

#include <QFile>
#include <QTest>

#include <memory>
#include <vector>

namespace warplight::ui {

class ViewsFixture {
public:
    explicit ViewsFixture(const TestHome& home) : home_(home) {}

    static constexpr int patience = 90000;

    QString path(const QString& name) const { return home_.path(name); }

    template <class T>
    QString array(const QString& name, const Shape& shape, const std::vector<T>& values) {
        const QString file = path(name);
        save_npy(file.toStdString(), NdArray::from(values, shape));
        return file;
    }
    /// Opens it in the panel, and waits for it.
    BufferInfo opened(const QString& file) {
        const int rows = panel_->list()->rowCount();
        panel_->openFile(file);
        if (!QTest::qWaitFor([&] { return panel_->list()->rowCount() > rows; }, patience)) return {};
        const BufferInfo info = panel_->list()->buffers().last();
        panel_->setCurrentBuffer(info.id);
        return info;
    }
    /// For people to look at, where WARPLIGHT_PICTURES names a folder.
    void shoot(const QString& name) {
        const QString folder = qEnvironmentVariable("WARPLIGHT_PICTURES");
        if (folder.isEmpty()) return;
        QTest::qWait(200);
        panel_->grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png"));
    }
    static QByteArray contents(const QString& file) {
        QFile in(file);
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
    }

    void openPanel() {
        QLocale::setDefault(QLocale::c());
        workbench_ = std::make_unique<Workbench>();
        WorkerConnection& worker = workbench_->bufferWorker();
        worker.setAccess({{path(QStringLiteral(".")).toStdString()},
                          {path(QStringLiteral(".")).toStdString(),
                           workbench_->runFolder().of(QStringLiteral("software")).toStdString()}});
        worker.start();
        QTRY_VERIFY_WITH_TIMEOUT(worker.isUsable(), patience);
        panel_ = std::make_unique<BuffersPanel>(*workbench_);
        panel_->resize(1000, 500);
        panel_->show();
    }
    void closePanel() {
        panel_.reset();
        workbench_.reset();
    }

protected:
    const TestHome& home_;
    std::unique_ptr<Workbench> workbench_;
    std::unique_ptr<BuffersPanel> panel_;
};

} // namespace warplight::ui
