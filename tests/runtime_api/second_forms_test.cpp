// SPDX-License-Identifier: Apache-2.0
// The _v2 and _v3 of functions, which 11 and 12 have beside the first forms and 13 has under their plain names.
#include "driver/graph_types.hpp"
#include "library.hpp"
#include "runtime_api/abi.hpp"

#include <QtTest>

using namespace warplight::runtime_api;
using runtime_test::Library;
using warplight::driver::GraphEdgeData;

namespace {

/// cudaGraphNodeParams
struct AnyNode {
    int type = 0;
    int reserved[3] = {};
    long long of_type[30] = {};
};
static_assert(sizeof(AnyNode) == 256);
constexpr int kEmptyNode = 5, kRelaxed = 2, kActive = 1;

GraphNode* const no_nodes = nullptr;
GraphEdgeData* const no_data = nullptr;

} // namespace

class SecondFormsTest : public QObject {
    Q_OBJECT

    void eleven_and_twelve() {
        QTest::addColumn<int>("major");
        for (int major : {11, 12})
            QTest::addRow("%d", major) << major;
    }

private slots:
    void texture_objects() {
        const Library library(11);
        QVERIFY2(library, dlerror());
        const ChannelFormat format{32, 0, 0, 0, 2};
        Array array = nullptr;
        QCOMPARE(library("cudaMallocArray", &array, &format, std::size_t{8}, std::size_t{2}, 0U), 0);
        ResourceDescription resource{};
        resource.resource.array.handle = array;
        TextureDescription texture{}, told{};
        texture.max_anisotropy = 3;
        texture.max_mipmap_level_clamp = 4;
        told.seamless_cubemap = 9;
        CUtexObject object = 0;
        void* const no_view = nullptr;
        QCOMPARE(library("cudaCreateTextureObject_v2", &object, &resource, &texture, no_view), 0);
        QCOMPARE(library("cudaGetTextureObjectTextureDesc_v2", &told, object), 0);
        QCOMPARE(told.max_anisotropy, 3U);
        QCOMPARE(told.max_mipmap_level_clamp, 4.0F);
        QCOMPARE(told.seamless_cubemap, 0); // the member that the first form lacks
        TextureDescription* const nowhere = nullptr;
        QCOMPARE(library("cudaGetTextureObjectTextureDesc_v2", nowhere, object), int(cudaErrorInvalidValue));
        QCOMPARE(library("cudaDestroyTextureObject", object), 0);
        CUtexObject* const no_object = nullptr;
        QCOMPARE(library("cudaCreateTextureObject_v2", no_object, &resource, &texture, no_view),
                 int(cudaErrorInvalidValue));
        QCOMPARE(library("cudaFreeArray", array), 0);
    }

    void captures_data() { eleven_and_twelve(); }
    void captures() {
        QFETCH(int, major);
        const Library library(major);
        QVERIFY2(library, dlerror());
        constexpr unsigned set_dependencies = 1;
        Stream stream = nullptr;
        void* memory = nullptr;
        QCOMPARE(library("cudaStreamCreate", &stream), 0);
        QCOMPARE(library("cudaMalloc", &memory, std::size_t{64}), 0);
        int status = 9;
        unsigned long long id = 0, same_id = 0;
        Graph graph = nullptr, same = nullptr;
        const GraphNode* nodes = nullptr;
        std::size_t count = 9;
        QCOMPARE(library("cudaStreamGetCaptureInfo_v2", stream, &status, &id, &graph, &nodes, &count), 0);
        QCOMPARE(status, 0);
        GraphNode empty = nullptr;
        if (major == 12)
            QCOMPARE(library("cudaStreamUpdateCaptureDependencies_v2", stream, &empty, no_data, std::size_t{0},
                             set_dependencies),
                     int(cudaErrorIllegalState)); // no capture
        QCOMPARE(library("cudaStreamBeginCapture", stream, kRelaxed), 0);
        QCOMPARE(library("cudaMemsetAsync", memory, 1, std::size_t{64}, stream), 0);
        QCOMPARE(library("cudaStreamGetCaptureInfo_v2", stream, &status, &id, &graph, &nodes, &count), 0);
        QCOMPARE(status, kActive);
        QCOMPARE(count, std::size_t{1});
        const GraphNode first = nodes[0];
        int* const nowhere = nullptr;
        QCOMPARE(library("cudaStreamGetCaptureInfo_v2", stream, nowhere, &id, &graph, &nodes, &count),
                 int(cudaErrorInvalidValue));
        // What comes next is behind another node.
        const GraphNode* const before = &first;
        QCOMPARE(library("cudaGraphAddEmptyNode", &empty, graph, before, std::size_t{1}), 0);
        if (major == 12) {
            const GraphEdgeData edge{};
            const GraphEdgeData* data = nullptr;
            QCOMPARE(library("cudaStreamUpdateCaptureDependencies_v2", stream, &empty, &edge, std::size_t{1},
                             set_dependencies),
                     0);
            QCOMPARE(library("cudaStreamGetCaptureInfo_v3", stream, &status, &same_id, &same, &nodes, &data, &count),
                     0);
            QCOMPARE(library("cudaStreamGetCaptureInfo_v3", stream, nowhere, &id, &graph, &nodes, &data, &count),
                     int(cudaErrorInvalidValue));
        } else {
            QCOMPARE(library("cudaStreamUpdateCaptureDependencies", stream, &empty, std::size_t{1}, set_dependencies),
                     0);
            QCOMPARE(library("cudaStreamGetCaptureInfo_v2", stream, &status, &same_id, &same, &nodes, &count), 0);
        }
        QCOMPARE(same_id, id);
        QCOMPARE(same, graph);
        QCOMPARE(count, std::size_t{1});
        QCOMPARE(nodes[0], empty);
        QCOMPARE(library("cudaMemsetAsync", memory, 2, std::size_t{64}, stream), 0);
        QCOMPARE(library("cudaStreamEndCapture", stream, &graph), 0);
        GraphNode behind = nullptr;
        count = 1;
        QCOMPARE(library("cudaGraphNodeGetDependentNodes", empty, &behind, &count), 0);
        QCOMPARE(count, std::size_t{1});
        QVERIFY(behind && behind != first);
        QCOMPARE(library("cudaGraphDestroy", graph), 0);
        QCOMPARE(library("cudaFree", memory), 0);
        QCOMPARE(library("cudaStreamDestroy", stream), 0);
    }

    void edges() {
        const Library library(12);
        QVERIFY2(library, dlerror());
        Graph graph = nullptr;
        GraphNode a = nullptr, b = nullptr, c = nullptr, from = nullptr, to = nullptr;
        const GraphEdgeData plain{};
        GraphEdgeData data{1, 1, 1, {}};
        const std::size_t one = 1;
        std::size_t count = 1;
        QCOMPARE(library("cudaGraphCreate", &graph, 0U), 0);
        QCOMPARE(library("cudaGraphAddEmptyNode", &a, graph, no_nodes, std::size_t{0}), 0);
        QCOMPARE(library("cudaGraphAddEmptyNode", &b, graph, no_nodes, std::size_t{0}), 0);
        QCOMPARE(library("cudaGraphAddDependencies_v2", graph, &a, &b, &plain, one), 0);
        QCOMPARE(library("cudaGraphGetEdges_v2", graph, &from, &to, &data, &count), 0);
        QCOMPARE(count, one);
        QCOMPARE(from, a);
        QCOMPARE(to, b);
        QVERIFY(data == plain);
        QCOMPARE(library("cudaGraphNodeGetDependencies_v2", b, &from, &data, &count), 0);
        QCOMPARE(count, one);
        QCOMPARE(from, a);
        QCOMPARE(library("cudaGraphNodeGetDependentNodes_v2", a, &to, &data, &count), 0);
        QCOMPARE(count, one);
        QCOMPARE(to, b);
        AnyNode parameters;
        parameters.type = kEmptyNode;
        QCOMPARE(library("cudaGraphAddNode_v2", &c, graph, &b, &plain, one, &parameters), 0);
        int type = 0;
        QCOMPARE(library("cudaGraphNodeGetType", c, &type), 0);
        QCOMPARE(type, kEmptyNode);
        QCOMPARE(library("cudaGraphNodeGetDependencies_v2", c, &from, &data, &count), 0);
        QCOMPARE(from, b);
        QCOMPARE(library("cudaGraphRemoveDependencies_v2", graph, &a, &b, &plain, one), 0);
        QCOMPARE(library("cudaGraphGetEdges_v2", graph, no_nodes, no_nodes, no_data, &count), 0);
        QCOMPARE(count, one);
        // An edge that is not there, and graphs and nodes that are none.
        QCOMPARE(library("cudaGraphRemoveDependencies_v2", graph, &a, &b, &plain, one), int(cudaErrorInvalidValue));
        QCOMPARE(library("cudaGraphAddDependencies_v2", Graph{nullptr}, &a, &b, &plain, one),
                 int(cudaErrorInvalidValue));
        QCOMPARE(library("cudaGraphGetEdges_v2", Graph{nullptr}, &from, &to, &data, &count),
                 int(cudaErrorInvalidValue));
        QCOMPARE(library("cudaGraphNodeGetDependencies_v2", GraphNode{nullptr}, &from, &data, &count),
                 int(cudaErrorInvalidValue));
        QCOMPARE(library("cudaGraphNodeGetDependentNodes_v2", GraphNode{nullptr}, &to, &data, &count),
                 int(cudaErrorInvalidValue));
        QCOMPARE(library("cudaGraphAddNode_v2", &c, Graph{nullptr}, &b, &plain, one, &parameters),
                 int(cudaErrorInvalidValue));
        QCOMPARE(library("cudaGraphDestroy", graph), 0);
    }

    void places_of_managed_memory() {
        const Library library(12);
        QVERIFY2(library, dlerror());
        int concurrent = 0;
        QCOMPARE(library("cudaDeviceGetAttribute", &concurrent, 89, 0), 0);
        if (!concurrent) QSKIP("the device takes no advice about managed memory");
        constexpr std::size_t size = std::size_t{2} << 20;
        constexpr int preferred = 2, last = 4, set_preferred = 3;
        void* pointer = nullptr;
        QCOMPARE(library("cudaMallocManaged", &pointer, size, 1U), 0);
        const void* const begin = pointer;
        const Location here{location_device, 0}, host{location_host, 0}, nowhere{location_device, 1000};
        int number = -9;
        const auto asked = [&](int attribute) {
            const int error =
                library("cudaMemRangeGetAttribute", static_cast<void*>(&number), sizeof number, attribute, begin, size);
            return error == 0 ? number : -99;
        };
        QCOMPARE(library("cudaMemAdvise_v2", begin, size, set_preferred, here), 0);
        QCOMPARE(asked(preferred), 0);
        for (const auto& [place, its] : {std::pair{here, 0}, std::pair{host, -1}}) {
            QCOMPARE(library("cudaMemPrefetchAsync_v2", begin, size, place, 0U, Stream{nullptr}), 0);
            QCOMPARE(library("cudaDeviceSynchronize"), 0);
            QCOMPARE(asked(last), its);
        }
        const int no_device = library("cudaMemPrefetchAsync_v2", begin, size, nowhere, 0U, Stream{nullptr});
        QVERIFY2(no_device == int(cudaErrorInvalidDevice) || no_device == int(cudaErrorInvalidValue),
                 qPrintable(QString::number(no_device)));
        QCOMPARE(library("cudaMemPrefetchAsync_v2", begin, size, here, 1U, Stream{nullptr}),
                 int(cudaErrorInvalidValue));
        QCOMPARE(library("cudaMemAdvise_v2", begin, size, 77, here), int(cudaErrorInvalidValue));
        QCOMPARE(library("cudaFree", pointer), 0);
    }

    void time_between_events() {
        const Library library(12);
        QVERIFY2(library, dlerror());
        Event begin = nullptr, end = nullptr;
        QCOMPARE(library("cudaEventCreate", &begin), 0);
        QCOMPARE(library("cudaEventCreate", &end), 0);
        QCOMPARE(library("cudaEventRecord", begin, Stream{nullptr}), 0);
        QCOMPARE(library("cudaEventRecord", end, Stream{nullptr}), 0);
        QCOMPARE(library("cudaEventSynchronize", end), 0);
        float milliseconds = -1, same = -2;
        QCOMPARE(library("cudaEventElapsedTime_v2", &milliseconds, begin, end), 0);
        QVERIFY(milliseconds >= 0);
        QCOMPARE(library("cudaEventElapsedTime", &same, begin, end), 0);
        QVERIFY(qAbs(milliseconds - same) < 0.01F); // the first form rounds to half a microsecond
        float* const nowhere = nullptr;
        QCOMPARE(library("cudaEventElapsedTime_v2", nowhere, begin, end), int(cudaErrorInvalidValue));
        QCOMPARE(library("cudaEventElapsedTime_v2", &milliseconds, begin, Event{nullptr}),
                 int(cudaErrorInvalidResourceHandle));
        QCOMPARE(library("cudaEventDestroy", begin), 0);
        QCOMPARE(library("cudaEventDestroy", end), 0);
    }
};

QTEST_GUILESS_MAIN(SecondFormsTest)
#include "second_forms_test.moc"
