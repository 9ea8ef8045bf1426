// Captured inputs that a spec names: where they are, seen from any node.
#pragma once

#include <string>

#include "model/mep_spec.hpp"

namespace noctune {

// Makes the paths of the spec's data files absolute: they are relative to the spec's folder. Evaluators on
// other nodes read them there, so they must lie on a file system that all nodes share. A dataset of an HDF5
// file, "caught.h5:/step/x", is copied once to raw elements beside the spec, unless that copy is newer.
void locate_data_files(MepSpec& spec, const std::string& spec_path);

}  // namespace noctune
