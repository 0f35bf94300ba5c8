// SPDX-License-Identifier: GPL-3.0-or-later
/// The breakpoints of all sources, kept in the settings by the path of the source.
#pragma once

#include "ui/debug/edited_lines.hpp"

#include <QHash>
#include <QList>
#include <QObject>
#include <QString>

namespace warplight::ui {

class SourceFile;

struct Breakpoint {
    enum class State {
        Idle,    ///< nothing is debugged
        Waiting, ///< for the kernel to begin
        Set,
        Refused, ///< `message` says why
    };
    int id = 0;   ///< in this window
    int line = 0; ///< from 1
    QString condition;
    bool enabled = true;
    State state = State::Idle;
    QString message;
    int setAt = 0; ///< the line where it is set, of the text that is debugged
};

class Breakpoints : public QObject {
    Q_OBJECT
public:
    /// Reads those of the settings.
    explicit Breakpoints(QObject* parent = nullptr);

    /// Names a source: its path, or for one that was never saved a name that is no path.
    static QString keyOf(const SourceFile& source);
    static QString keyOfPath(const QString& path);
    static QString keyOfUnsaved(const QString& name);
    static bool isUnsaved(const QString& key);
    static QString nameOfUnsaved(const QString& key);

    QList<Breakpoint> of(const QString& key) const { return files_.value(key); }
    QStringList sources() const { return files_.keys(); }
    const Breakpoint* at(const QString& key, int line) const;
    bool isEmpty() const;

    void toggle(const QString& key, int line);
    /// Sets one where there is none.
    void setCondition(const QString& key, int line, const QString& condition);
    void setEnabled(const QString& key, int line, bool enabled);
    void clear(const QString& key);
    void clearAll();
    /// The source has another name from now on.
    void rename(const QString& from, const QString& to);
    /// They go along with their lines.
    void follow(const QString& key, LineEdit edit);

    void setState(const QString& key, int id, Breakpoint::State state, const QString& message, int setAt);
    /// Nothing is debugged any more.
    void forgetStates();

signals:
    void renamed(const QString& from, const QString& to); ///< before changed(to)
    void changed(const QString& key);                     ///< which there are, and their conditions
    void moved(const QString& key);                       ///< only their lines, by edits
    void stateChanged(const QString& key);                ///< only their states

private:
    Breakpoint* find(const QString& key, int line);
    void store();

    QHash<QString, QList<Breakpoint>> files_;
    int lastId_ = 0;
};

} // namespace warplight::ui
