// SPDX-License-Identifier: GPL-3.0-or-later
/// Colours, fonts and distances: the one place that decides how the workbench looks.
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>
#include <memory>

namespace warplight::ui {

class SystemScheme;

/// Colours of source text and PTX.
struct SyntaxColours {
    QColor text, background, currentLine, selection, lineNumber, lineNumberBackground;
    QColor comment, keyword, type, builtin, qualifier, preprocessor, string, number, function, operators;
    QColor matchedBrace, linkedLine; ///< linkedLine: source line ↔ PTX line
};

struct Colours {
    QColor window, base, alternate, border, text, mutedText, disabledText;
    QColor accent, accentText;      ///< the accent, and text on it
    QColor accentSoft;              ///< a wash of the accent, the background of marked items
    QColor error, warning, success; ///< for text and icons on `base`; never the only sign of a state
    QColor errorSoft, warningSoft, successSoft;
    SyntaxColours syntax;
};

class Theme : public QObject {
    Q_OBJECT
public:
    enum class Mode { System, Light, Dark };
    Q_ENUM(Mode)

    explicit Theme(QObject* parent = nullptr);
    /// The one of this process, while somebody holds it: all windows look alike.
    static std::shared_ptr<Theme> shared();

    Mode mode() const { return mode_; }
    void setMode(Mode mode);
    bool isDark() const { return dark_; }
    const Colours& colours() const { return dark_ ? darkColours() : lightColours(); }

    /// The colour of series i (a run, a buffer, a source line): the same wherever i is shown. 8 distinct, then again.
    QColor series(int i) const;

    /// For code and values, at the chosen size and zoom.
    QFont monospace() const;
    /// Points of the monospace font before zoom.
    int fontSize() const { return fontSize_; }
    void setFontSize(int points);
    /// Family of the monospace font; empty chooses the first good one there is.
    QString fontFamily() const { return fontFamily_; }
    void setFontFamily(const QString& family);
    /// Zoom steps of all text, from -6 to 24; 0 is the size that was set.
    int zoom() const { return zoom_; }
    void setZoom(int steps);

    /// Distances are multiples of 8 pixels; half a step inside of a control.
    static constexpr int grid = 8;
    static constexpr int half = 4;

    static const Colours& lightColours();
    static const Colours& darkColours();

signals:
    /// Colours or fonts changed. Panels read theirs again.
    void themeChanged();

private:
    void apply();

    Mode mode_ = Mode::System;
    bool dark_ = false;
    SystemScheme* system_;
    int fontSize_ = 10, zoom_ = 0;
    QString fontFamily_;
    QFont systemFont_;
};

} // namespace warplight::ui
