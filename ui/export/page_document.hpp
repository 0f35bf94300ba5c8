// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/run.hpp"
#include "page/page.hpp"

#include <QImage>
#include <QList>
#include <QTextDocument>

namespace warplight::ui {

/// A page as rich text, with its images drawn.
class PageDocument : public QTextDocument {
    Q_OBJECT
public:
    PageDocument(const history::Run& run, const std::vector<page::ResultView>& results, QObject* parent = nullptr);

protected:
    QVariant loadResource(int type, const QUrl& name) override;

private:
    QList<QImage> images_;
};

} // namespace warplight::ui
