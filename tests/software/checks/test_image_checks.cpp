// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces that kernels access wrongly: each is found at its line, reads 0 and lets the kernel go on.
#include "checks_fixture.hpp"
#include "image_fixture.hpp"
#include "image_kernels.hpp"

using namespace warplight;
using image_kernels::Kernel;
using namespace image_fixture;

class ImageChecksTest : public QObject {
    Q_OBJECT

    static void launch(const Kernel& kernel, bool wrong, findings::Findings& found, int& line) {
        Session s;
        const std::string source = source_of("", image_kernels::kParameters, kernel.body, wrong);
        line = line_of_mistake(source);
        const CUfunction f = s.load(compiled(source), "k");
        QVERIFY2(f, last_error_text().c_str());
        const std::vector<float> ones(std::size_t{kSide} * kSide, 1.0F);
        CUdeviceptr out = s.upload(ones), memory = s.upload(ones), freed = s.upload(ones), small = 0;
        CU(cuMemAlloc(&small, 512));
        CUarray array = new_array(), destroyed = new_array();
        CUtexObject linear = texture(of_linear(memory, 1024)), pitched = texture(of_pitched(memory)),
                    of_the_array = texture(of_array(array)), gone_linear = texture(of_linear(freed, 1024)),
                    gone_pitched = texture(of_pitched(freed)), gone_array = texture(of_array(destroyed)),
                    large = texture(of_linear(memory, 1024)), none = texture(of_linear(memory, 1024));
        CUsurfObject written = surface(of_array(array)), gone_surface = surface(of_array(destroyed));
        CU(cuMemFree(freed));
        CU(cuArrayDestroy(destroyed));
        CU(cuTexObjectDestroy(none));
        // Shorter memory may come to lie where an object shows longer one.
        CU(cuTexObjectDestroy(large));
        CUDA_RESOURCE_DESC longer = of_linear(small, 1024);
        CUDA_TEXTURE_DESC how{};
        const bool can_be_longer = cuTexObjectCreate(&large, &longer, &how, nullptr) == CUDA_SUCCESS;
        if (!can_be_longer && std::string_view(kernel.says) == "has only") QSKIP("such objects are refused");
        (void)taken();
        CU(cuxWarplightRequestChecks("memory"));
        CU(s.launch(f, 1, 64,
                    {&out, &linear, &pitched, &of_the_array, &written, &gone_linear, &gone_pitched, &gone_array,
                     &gone_surface, &large, &none}));
        CU(cuCtxSynchronize());
        CU(cuxWarplightRequestChecks(""));
        found = taken();
        CU(cuArrayDestroy(array));
    }

private slots:
    void init() { NEEDS_NVRTC; }

    void mistakes_are_found_data() { add_rows_of(image_kernels::all()); }
    void mistakes_are_found() {
        const Kernel kernel = kernel_of_row(image_kernels::all());
        findings::Findings found;
        int line = 0;
        launch(kernel, true, found, line);
        if (QTest::currentTestFailed()) return;
        const std::string what = described(found);
        QVERIFY2(found.all.size() == 1, what.empty() ? "nothing was found" : what.c_str());
        const findings::Finding& f = found.all.front();
        QCOMPARE(f.kind, "memory");
        QVERIFY2(f.place.line == line && f.inlined_at.empty(), what.c_str()); // not the header of CUDA
        QVERIFY2(f.access == kernel.access, what.c_str());
        QVERIFY2(f.thread[0] == kernel.thread && f.count == kernel.count, what.c_str());
        QVERIFY2(f.message.find(kernel.says) != std::string::npos, what.c_str());
    }

    void mended_ones_are_not_data() { mistakes_are_found_data(); }
    void mended_ones_are_not() {
        QFETCH(int, number);
        findings::Findings found;
        int line = 0;
        launch(image_kernels::all().at(static_cast<std::size_t>(number)), false, found, line);
        QVERIFY2(found.all.empty(), described(found).c_str());
    }
};

QTEST_GUILESS_MAIN(ImageChecksTest)
#include "test_image_checks.moc"
