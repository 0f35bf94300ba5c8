// SPDX-License-Identifier: GPL-3.0-or-later
/// Reads files in threads of their own, so that a slow disk or a large file does not hold the window up.
#pragma once

#include "ui/common/activities.hpp"

#include <QHash>
#include <QObject>
#include <functional>
#include <memory>

namespace warplight::ui {

class Loading : public QObject {
    Q_OBJECT
public:
    using Then = std::function<void()>;
    /// Runs in a thread of its own. It touches nothing of the window. What it returns runs in the window's thread.
    using Read = std::function<Then()>;

    /// For so many milliseconds the window waits: most files are there by then. Tests may change it.
    static inline int briefMs = 250;
    /// Runs in each thread before it reads. Tests wait in it, as for a slow disk.
    static inline std::function<void()> beforeReading;

    explicit Loading(Activities& activities, QObject* parent = nullptr);
    /// Waits for no thread. What it still reads is dropped.
    ~Loading() override;

    /// Reads, and then runs what `read` has returned: before this returns where reading is brief, else later.
    /// @param text what is done ("Opening x.cu"), without a period
    /// @param gaveUp runs in place of it when it was stopped, or when memory ran out
    /// @returns a number to stop it by; 0: it is done
    int load(const QString& text, Read read, Then gaveUp = {});
    /// A thread that waits for a disk cannot be ended: it is left alone, and what it reads is dropped.
    void stop(int number);
    bool isLoading() const { return !running_.isEmpty(); }

private:
    struct Job;
    struct Running {
        std::shared_ptr<Job> job;
        Then gaveUp;
        std::shared_ptr<Activity> activity;
    };
    void end(int number);

    Activities& activities_;
    QHash<int, Running> running_;
    int last_ = 0;
};

} // namespace warplight::ui
