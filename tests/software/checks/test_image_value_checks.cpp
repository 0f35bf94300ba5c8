// SPDX-License-Identifier: Apache-2.0
// Values that nothing wrote, and races, by way of textures and surfaces: each is found at its line, and no correct
// kernel has any.
#include "image_fixture.hpp"
#include "image_value_kernels.hpp"

using namespace warplight;
using namespace image_fixture;
using image_value_kernels::Kernel;

class ImageValueChecksTest : public QObject {
    Q_OBJECT

    static constexpr std::size_t kElements = std::size_t{kSide} * kSide;

    static std::vector<Kernel> all() {
        std::vector<Kernel> kernels = image_value_kernels::init();
        const std::vector<Kernel> races = image_value_kernels::race();
        kernels.insert(kernels.end(), races.begin(), races.end());
        return kernels;
    }

    static std::string source(const Kernel& kernel, bool wrong) {
        return source_of(image_value_kernels::kInstructions, image_value_kernels::kParameters, kernel.body, wrong);
    }

    /// Rows of an array and the host.
    static CUDA_MEMCPY2D rows(CUarray array, void* host, std::size_t bytes, std::size_t count) {
        CUDA_MEMCPY2D copy{};
        copy.srcMemoryType = CU_MEMORYTYPE_HOST;
        copy.srcHost = host;
        copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
        copy.dstArray = array;
        copy.srcPitch = copy.WidthInBytes = bytes;
        copy.Height = count;
        return copy;
    }
    static CUDA_MEMCPY2D whole_to(CUdeviceptr to, CUarray array) {
        CUDA_MEMCPY2D copy{};
        copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
        copy.srcArray = array;
        copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.dstDevice = to;
        copy.dstPitch = copy.WidthInBytes = 64;
        copy.Height = kSide;
        return copy;
    }

    static void launch(const std::string& ptx, const char* check, findings::Findings& found) {
        Session s;
        const CUfunction f = s.load(ptx, "k");
        QVERIFY2(f, last_error_text().c_str());
        (void)taken();
        CU(cuxWarplightRequestChecks(check));
        std::vector<float> ones(kElements, 1.0F);
        const CUdeviceptr unwritten = s.allocate(1024), with_pitch = s.allocate(1024), of_four = s.allocate(1024);
        CUdeviceptr out = s.upload(ones), memory = s.upload(ones), none = s.allocate(1024), some = s.upload(ones);
        CU(cuMemsetD2D32(of_four, 16, 0, 1, 64));
        CUarray upper = new_array(CUDA_ARRAY3D_TEXTURE_GATHER), small = new_array(0, CU_AD_FORMAT_UNSIGNED_INT8),
                bare = new_array(), target = new_array(CUDA_ARRAY3D_TEXTURE_GATHER);
        CUDA_MEMCPY2D copy = rows(upper, ones.data(), 64, 8);
        CU(cuMemcpy2D(&copy));
        copy = rows(small, ones.data(), 16, 8);
        CU(cuMemcpy2D(&copy));
        copy = whole_to(none, bare);
        CU(cuMemcpy2D(&copy));
        copy = whole_to(some, upper);
        CU(cuMemcpy2D(&copy));
        CUDA_TEXTURE_DESC filters{};
        filters.filterMode = CU_TR_FILTER_MODE_LINEAR;
        CUDA_RESOURCE_DESC of_vectors = of_linear(of_four, 1024);
        of_vectors.res.linear.numChannels = 4;
        CUtexObject fresh = texture(of_linear(unwritten, 1024)), written = texture(of_linear(s.upload(ones), 1024)),
                    pitched = texture(of_pitched(with_pitch)), half = texture(of_array(upper)),
                    smooth = texture(of_array(upper), filters), bytes = texture(of_array(small)),
                    four = texture(of_vectors), drawn = texture(of_array(target)),
                    shown = texture(of_linear(memory, 1024));
        CUsurfObject surface = image_fixture::surface(of_array(target));
        CU(s.launch(f, 1, 64,
                    {&out, &memory, &none, &some, &fresh, &written, &pitched, &half, &smooth, &bytes, &four, &drawn,
                     &shown, &surface}));
        CU(cuCtxSynchronize());
        (void)s.download<float>(out, kElements);
        copy = rows(target, ones.data(), 64, kSide);
        std::swap(copy.srcMemoryType, copy.dstMemoryType);
        copy.srcArray = target;
        copy.dstHost = ones.data();
        copy.dstPitch = 64;
        CU(cuMemcpy2D(&copy));
        CU(cuxWarplightRequestChecks(""));
        found = taken();
    }

private slots:
    void init() { NEEDS_NVRTC; }

    void mistakes_are_found_data() { add_rows_of(all()); }
    void mistakes_are_found() {
        const Kernel kernel = kernel_of_row(all());
        const std::string text = source(kernel, true);
        findings::Findings found;
        launch(compiled(text), kernel.check, found);
        if (QTest::currentTestFailed()) return;
        const std::string what = described(found);
        QVERIFY2(found.all.size() == 1, what.empty() ? "nothing was found" : what.c_str());
        const findings::Finding& f = found.all.front();
        QCOMPARE(f.kind, kernel.check);
        QCOMPARE(f.severity, "error");
        QVERIFY2(line_in_kernel(f) == line_of_mistake(text) && f.place.file.ends_with("k.cu"), what.c_str());
        QVERIFY2(f.access == kernel.access, what.c_str());
        if (kernel.count) QVERIFY2(f.count == kernel.count, what.c_str());
        QVERIFY2(f.message.find(kernel.says) != std::string::npos, what.c_str());
        if (*kernel.mend) QVERIFY2(f.mend && findings::name_of(*f.mend) == kernel.mend, what.c_str());
    }

    void mended_ones_are_not_data() { mistakes_are_found_data(); }
    void mended_ones_are_not() {
        const Kernel kernel = kernel_of_row(all());
        const std::string ptx = compiled(source(kernel, false));
        for (const std::string& check : {std::string(kernel.check), std::string("memory,") + kernel.check}) {
            findings::Findings found;
            launch(ptx, check.c_str(), found);
            QVERIFY2(found.all.empty(), described(found).c_str());
        }
    }
};

QTEST_GUILESS_MAIN(ImageValueChecksTest)
#include "test_image_value_checks.moc"
