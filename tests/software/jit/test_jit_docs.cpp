// SPDX-License-Identifier: Apache-2.0
// docs/jit.md works through a divergent kernel: its tables against the plan that the compiler makes of it.
#include "mini_runtime.hpp"
#include "software/jit/front/kernel_source.hpp"
#include "software/ptx/flow.hpp"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace warplight;
using mini::Program;

namespace {

QString page() {
    QFile file(QStringLiteral(WARPLIGHT_SOURCE_DIR "/docs/jit.md"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QString::fromUtf8(file.readAll());
}

std::string kernel_of(const QString& page) {
    static const QRegularExpression block(QStringLiteral("```ptx\n(.*?)```"),
                                          QRegularExpression::DotMatchesEverythingOption);
    return block.match(page).captured(1).toStdString();
}

/// The cells of the rows below a heading row.
std::vector<QStringList> table(const QString& page, const QString& heading) {
    std::vector<QStringList> rows;
    const qsizetype start = page.indexOf(heading);
    if (start < 0) return rows;
    const QStringList lines = page.mid(start).split(u'\n');
    for (qsizetype k = 2; k < lines.size() && lines[k].startsWith(u'|'); ++k) {
        QStringList cells = lines[k].split(u'|');
        for (QString& cell : cells)
            cell = cell.trimmed();
        rows.push_back(cells.mid(1, cells.size() - 2));
    }
    return rows;
}

/// "1, 2" or "end" as blocks.
std::vector<std::uint32_t> blocks(const QString& cell, std::uint32_t end) {
    std::vector<std::uint32_t> all;
    for (const QString& part : cell.split(QStringLiteral(", ")))
        if (part != QStringLiteral("entry")) all.push_back(part == QStringLiteral("end") ? end : part.toUInt());
    return all;
}

QString lattice_value(const jit::LanePlan& plan, ptx::RegisterId r) {
    const auto stride = plan.stride(r);
    if (!stride) return QStringLiteral("unknown");
    return *stride == 0 ? QStringLiteral("uniform") : QStringLiteral("affine, stride %1").arg(*stride);
}

} // namespace

class JitDocsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        page_ = page();
        program_ = std::make_unique<Program>(kernel_of(page_));
        id_ = program_->module().find_function("halve_or_negate").value();
        jit::Options options;
        options.width = kWidth;
        const jit::KernelSource source = jit::prepare_source(program_->module(), id_, options);
        jit::LanesOrObstacle lanes = jit::plan_source(source, kWidth);
        QVERIFY2(lanes.plan, lanes.obstacle.c_str());
        plan_ = std::move(*lanes.plan);
    }

    void the_blocks_are_those_of_the_page() {
        const ptx::FlowGraph graph(function());
        const auto rows = table(page_, QStringLiteral("| block | from | to |"));
        QCOMPARE(rows.size(), graph.blocks().size());
        for (std::uint32_t k = 0; k < rows.size(); ++k) {
            std::vector<std::uint32_t> successors = graph.blocks()[k].successors;
            std::sort(successors.begin(), successors.end());
            QCOMPARE(blocks(rows[k][2], graph.end()), successors);
            QCOMPARE(blocks(rows[k][1], graph.end()), graph.predecessors(k));
        }
        QCOMPARE(ptx::post_dominators(graph)[0], 3U);
    }

    void the_lattice_values_are_those_of_the_page() {
        const auto rows = table(page_, QStringLiteral("| register | lattice value |"));
        std::size_t seen = 0;
        for (const QStringList& row : rows)
            for (const QString& name : row[0].split(QStringLiteral(", "))) {
                const std::string wanted = name.mid(1, name.size() - 2).toStdString();
                for (ptx::RegisterId r = 0; r < function().registers.size(); ++r)
                    if (function().registers[r].name == wanted) {
                        QCOMPARE(lattice_value(plan_, r), QString(row[1]).remove(QStringLiteral(": a vector")));
                        ++seen;
                    }
            }
        QCOMPARE(seen, function().registers.size());
    }

    void blocks_1_and_2_diverge_and_reconverge_at_3() {
        for (std::uint32_t k = 0; k < 4; ++k) {
            const jit::LaneBlock& block = plan_.blocks[k];
            const bool inner = k == 1 || k == 2;
            QCOMPARE(block.masked, inner);
            QCOMPARE(block.divergent, inner);
            if (inner) QCOMPARE(block.reconverges_at, 3U);
        }
    }

private:
    static constexpr unsigned kWidth = 4;
    [[nodiscard]] const ptx::Function& function() const { return program_->module().functions[id_]; }

    QString page_;
    std::unique_ptr<Program> program_;
    ptx::FunctionId id_ = 0;
    jit::LanePlan plan_;
};

QTEST_GUILESS_MAIN(JitDocsTest)
#include "test_jit_docs.moc"
