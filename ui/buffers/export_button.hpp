// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QToolButton>
#include <functional>

class QAction;
class QCustomPlot;

namespace warplight::ui {

/// A menu that copies or saves what a page shows: its values as text, its plot or picture.
class ExportButton : public QToolButton {
    Q_OBJECT
public:
    /// What is shown. Values are lines of fields with this separator. What is null is not offered.
    struct Content {
        std::function<QString()> name; ///< of the file that is proposed
        std::function<QString(QChar separator)> values;
        QCustomPlot* plot = nullptr;
        std::function<QImage()> picture;
    };

    explicit ExportButton(Content content, QWidget* parent = nullptr);

    void copyValues();
    void copyPicture();
    /// .csv has the values, .png the plot or the picture, .svg the plot. Returns the problem.
    QString save(const QString& path);
    static QStringList pictureEndings(bool plot);

signals:
    void message(const QString& text);

private:
    void ask(const QString& title, const QString& ending, const QString& filter);
    QImage image() const;

    Content content_;
};

/// Writes the file whole or not at all. Returns the problem.
QString writeWhole(const QString& path, const QByteArray& bytes);

} // namespace warplight::ui
