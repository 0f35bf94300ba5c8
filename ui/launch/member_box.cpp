// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/member_box.hpp"

#include "ui/common/file_reader.hpp"

#include <algorithm>

namespace warplight::ui {

MemberBox::MemberBox(FileReader& reader, QWidget* parent) : QComboBox(parent), reader_(reader) {
    // As narrow as the form wants it; the list is as wide as its texts.
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(20);
    connect(this, &QComboBox::activated, this, [this] { wanted_ = currentData().toString(); });
    fill();
}

void MemberBox::fill() {
    const int index = findData(wanted_);
    if (index < 0)
        insertItem(0, !wanted_.isEmpty() ? wanted_ : count() > 1 ? tr("choose one") : tr("the only array"), wanted_);
    setCurrentIndex(std::max(index, 0));
}

void MemberBox::setFile(const QString& path) {
    if (path == file_) return;
    file_ = path;
    clear();
    problem_.clear();
    fill();
    reader_.list(path, this, [this, path](const QList<ContainerMember>& members, const QString& problem) {
        if (path != file_) return;
        clear();
        problem_ = problem;
        for (const ContainerMember& each : members)
            if (each.problem.isEmpty()) addItem(each.text(), each.name);
        // One array needs no name.
        if (wanted_.isEmpty() && count() == 1) wanted_ = itemData(0).toString();
        fill();
        emit listed();
    });
}

void MemberBox::setMember(const QString& member) {
    wanted_ = member;
    fill();
}

bool MemberBox::mustChoose() const { return member().isEmpty() && count() > 1; }

QString MemberBox::member() const { return currentData().toString(); }

} // namespace warplight::ui
