// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/run.hpp"
#include "page/page.hpp"

#include <QImage>
#include <QList>
#include <QTextDocument>
#include <functional>

class QPdfWriter;

namespace warplight::ui {

/// A page as rich text, with its images drawn. It may be made and used in any thread.
class PageDocument : public QTextDocument {
    Q_OBJECT
public:
    /// @param fixedFont the family for sources
    PageDocument(const history::Run& run, const std::vector<page::ResultView>& results, const QString& fixedFont);

    /// Numbered pages. The text is laid out for the paper from here on.
    /// @param goOn asked before each page, with the part that is done
    /// @returns false where it was stopped
    bool printTo(QPdfWriter& writer, const std::function<bool(double done)>& goOn);

protected:
    QVariant loadResource(int type, const QUrl& name) override;

private:
    QList<QImage> images_;
};

} // namespace warplight::ui
