// SPDX-License-Identifier: Apache-2.0
/// A run as one page of HTML that needs no other file and no program: settings, times, results with pictures, source.
#pragma once

#include "history/run.hpp"
#include "page/image.hpp"
#include "worker/array_view.hpp"

#include <functional>
#include <string>
#include <vector>

namespace warplight::page {

/// What is seen of a result. Its numbers are gone with the worker, so views are taken before.
struct ResultView {
    int index = 0; ///< of the argument, from 0
    worker::ArrayView view;
};

/// The address of an image of the page.
using Address = std::function<std::string(const Image&)>;

/// @param run as it is in the history, or as history::run_of() makes it
/// @param results may be missing
/// @param address data_uri() for a page that is whole
std::string to_html(const history::Run& run, const std::vector<ResultView>& results, const Address& address = data_uri);

} // namespace warplight::page
