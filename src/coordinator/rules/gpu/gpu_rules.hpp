// The rules for CUDA and HIP sources. Each changes the working copy wherever it is legal and says whether it
// found such a place; on OpenMP sources none does.
#pragma once

#include <vector>

#include "coordinator/rules/rules.hpp"

namespace noctune::rules::gpu {

std::vector<Rule> gpu_rules();

bool block_shape(Work& work, const Step& step);      // shape.cpp
bool elements(Work& work, const Step& step);         // elements.cpp
bool launch_bounds(Work& work, const Step& step);    // bounds.cpp
bool read_only(Work& work, const Step& step);        // read_only.cpp
bool accumulate(Work& work, const Step& step);       // accumulate.cpp
bool reciprocal_root(Work& work, const Step& step);  // reciprocal_root.cpp
bool register_tiles(Work& work, const Step& step);   // contraction.cpp
bool stage_shared(Work& work, const Step& step);     // stage.cpp
bool transpose(Work& work, const Step& step);        // transpose.cpp
bool warp_rows(Work& work, const Step& step);        // warp_rows.cpp
bool thread_rows(Work& work, const Step& step);      // thread_rows.cpp
bool block_sum(Work& work, const Step& step);        // block_sum.cpp
bool private_bins(Work& work, const Step& step);     // histogram.cpp
bool unroll_loops(Work& work, const Step& step);     // unroll_loops.cpp
bool grid_stride(Work& work, const Step& step);      // stride.cpp
bool vector_loads(Work& work, const Step& step);     // vectorise.cpp

}  // namespace noctune::rules::gpu
