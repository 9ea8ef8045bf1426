// One dataset of numbers from an HDF5 file, as raw elements.
#pragma once

#include <filesystem>
#include <string>

#include "base/error.hpp"

namespace noctune {

// All elements in the file's order, converted by the library to `element`: "f64", "f32", "i8" ... "u64".
Result<std::string> read_hdf5_array(const std::filesystem::path& file, const std::string& dataset,
                                    const std::string& element);

}  // namespace noctune
