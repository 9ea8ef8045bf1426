// A filter over the frames of a film, four frames over and over. The mask is a column times a row of whole
// numbers, so that two passes in integers give the same.
#include "device.hpp"
#include "program.hpp"

extern "C" void simple_convolution(int width, int height, int pitch, int mask_width, int mask_height,
                                   const unsigned int* in, const float* mask, int* out STREAM_PARAM);

namespace {

using host::Buffer;

constexpr int frames = 4, mask_width = 5, mask_height = 3;
constexpr int across[mask_width] = {1, 4, 6, 3, 2}, down[mask_height] = {5, 2, 3};

// Pixels of the last frame that differ from a pass along the rows followed by one along the columns.
double wrong_pixels(int width, int height, int pitch, const unsigned int* frame,
                    const std::vector<int>& out) {
  std::vector<int> rows(static_cast<std::size_t>(width) * (height + mask_height - 1));
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const unsigned int* pixel = frame + at / width * pitch + at % width;
    for (int c = 0; c < mask_width; ++c) rows[at] += across[c] * static_cast<int>(pixel[c]);
  }
  double wrong = 0;
  for (std::size_t at = 0; at < out.size(); ++at) {
    int sum = 0;
    for (int r = 0; r < mask_height; ++r) sum += down[r] * rows[at + static_cast<std::size_t>(r) * width];
    wrong += out[at] != sum;
  }
  return wrong;
}

host::Outcome run(long size, int repeats) {
  const int width = static_cast<int>(size), height = width, pitch = (width + mask_width - 1 + 31) / 32 * 32;
  const std::size_t frame = static_cast<std::size_t>(pitch) * (height + mask_height - 1);
  std::vector<float> weights;
  for (int weight : down) {
    for (int other : across) weights.push_back(static_cast<float>(weight * other));
  }
  Buffer<unsigned int> film(host::varied<unsigned int>(frames * frame, 1, 0, 256));
  Buffer<float> mask(weights);
  Buffer<int> out(static_cast<std::size_t>(width) * height);
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step)
      simple_convolution(width, height, pitch, mask_width, mask_height, film.data() + step % frames * frame,
                         mask.data(), out.data() STREAM_ARG);
  });
  out.download();

  outcome.error =
      wrong_pixels(width, height, pitch, film.host.data() + (repeats - 1) % frames * frame, out.host);
  outcome.work = 2e-9 * mask_width * mask_height * width * height * repeats;
  outcome.unit = "Gflop/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"simple-convolution", 2048, 10, run};
