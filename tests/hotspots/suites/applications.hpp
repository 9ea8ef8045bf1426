// The hotspots that stand in mini-applications: hotspots/apps/<name>/<name>.{cpp,cu} alone and in
// app/kernels.{cpp,cu}.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "places.hpp"

namespace noctune {

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

// What a source holds between its last #include and its entry: kernels and what they call.
inline std::string in_front_of_entry(const std::string& source) {
  std::size_t begin = source.rfind("#include");
  begin = source.find("\n", begin == std::string::npos ? 0 : begin) + 1;
  while (source.compare(begin, 2, "//") == 0) begin = source.find("\n", begin) + 1;
  return source.substr(begin, source.find("extern \"C\"") - begin);
}

// The body of the entry, from its brace to the one that ends it.
inline std::string body_of_entry(const std::string& source) {
  const std::size_t begin = source.find("{\n", source.find("extern \"C\""));
  return source.substr(begin, source.find("\n}\n", begin) + 3 - begin);
}

// A winner that replaces the hotspot's text can be put into the application as a patch.
inline void expect_in_its_application(const std::string& name) {
  const std::filesystem::path folder = std::filesystem::path(NOCTUNE_SOURCE_DIR) / "hotspots/apps" / name;
  const std::string openmp = text_of(folder / (name + ".cpp")), gpu = text_of(folder / (name + ".cu"));
  const std::string on_host = text_of(folder / "app/kernels.cpp"),
                    on_gpu = text_of(folder / "app/kernels.cu");
  EXPECT_NE(on_host.find(body_of_entry(openmp)), std::string::npos) << name << ".cpp";
  EXPECT_NE(on_host.find(in_front_of_entry(openmp)), std::string::npos) << name << ".cpp";
  EXPECT_NE(in_front_of_entry(gpu).find("__global__"), std::string::npos) << name << ".cu";
  EXPECT_NE(on_gpu.find(in_front_of_entry(gpu)), std::string::npos) << name << ".cu";
}

}  // namespace noctune
