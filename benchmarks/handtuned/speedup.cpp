// How much faster the hand-tuned versions are: what a careful person reaches, to hold Noctune's results
// against. Original and tuned version are called in turns on the same data; medians are compared. Options:
// [--quick] [name...]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "handtuned/entries.hpp"

namespace {

using Call = std::function<void()>;

struct Pair {
  std::string name, sizes;
  Call original, tuned;
};

template <class T>
std::vector<T>& data(std::size_t elements) {
  static std::vector<std::vector<T>> kept;
  static std::mt19937_64 generator(1);
  std::uniform_real_distribution<T> any(-1, 1);
  std::vector<T> v(elements);
  std::generate(v.begin(), v.end(), [&] { return any(generator); });
  static const bool reserved = (kept.reserve(200), true);  // addresses handed out stay good
  (void)reserved;
  return kept.emplace_back(std::move(v));
}

double* doubles(std::size_t elements) {
  return data<double>(elements).data();
}
float* floats(std::size_t elements) {
  return data<float>(elements).data();
}

double seconds(const Call& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Timing {
  double best, median;
};

Timing summary(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return {v.front(), v[v.size() / 2]};
}

void compare(const Pair& p, int repeats) {
  std::vector<double> original, tuned;
  p.original();
  p.tuned();
  for (int r = 0; r < repeats; ++r) {
    original.push_back(seconds(p.original));
    tuned.push_back(seconds(p.tuned));
  }
  const Timing before = summary(original), after = summary(tuned);
  std::printf("%-10s %-16s %9.3f %9.3f %7.2f x  %9.3f %9.3f %7.2f x\n", p.name.c_str(), p.sizes.c_str(),
              before.median * 1e3, after.median * 1e3, before.median / after.median, before.best * 1e3,
              after.best * 1e3, before.best / after.best);
  std::fflush(stdout);
}

template <class F, class... Args>
Pair pair(const char* name, std::string sizes, F* original, F* tuned, Args... args) {
  return {name, std::move(sizes), [=] { original(args...); }, [=] { tuned(args...); }};
}

// Both versions scale an updated array by the same factor each call, so values stay bounded (beta < 1).
std::vector<Pair> products() {
  std::vector<Pair> all;
  for (int n : {160, 256, 320}) {
    all.push_back(pair("gemm", "n " + std::to_string(n), original_gemm, tuned_gemm, n, n, n, 1.5, 0.5,
                       doubles(n * n), doubles(n * n), doubles(n * n)));
    all.push_back(pair("2mm", "n " + std::to_string(n), original_two_mm, tuned_two_mm, n, n, n, n, 1.5, 0.5,
                       doubles(n * n), doubles(n * n), doubles(n * n), doubles(n * n), doubles(n * n)));
    all.push_back(pair("syrk", "n " + std::to_string(n), original_syrk, tuned_syrk, n, n, 1.5, 0.5,
                       doubles(n * n), doubles(n * n)));
  }
  const int np = 96;  // an orthogonal-free product shrinks or grows A in place; scaled to shrink slowly
  double* c = doubles(np * np);
  for (int i = 0; i < np * np; ++i) c[i] *= 0.15;
  all.push_back(pair("doitgen", "32 x 32 x 96", original_doitgen, tuned_doitgen, 32, 32, np,
                     doubles(32 * 32 * np), c, doubles(np)));
  return all;
}

std::vector<Pair> vectors() {
  std::vector<Pair> all;
  for (int n : {2048, 4096}) {
    const std::string sizes = "n " + std::to_string(n);
    double *A = doubles((std::size_t)n * n), *B = doubles((std::size_t)n * n);
    all.push_back(
        pair("atax", sizes, original_atax, tuned_atax, n, n, A, doubles(n), doubles(n), doubles(n)));
    all.push_back(pair("bicg", sizes, original_bicg, tuned_bicg, n, n, A, doubles(n), doubles(n), doubles(n),
                       doubles(n)));
    all.push_back(
        pair("mvt", sizes, original_mvt, tuned_mvt, n, A, doubles(n), doubles(n), doubles(n), doubles(n)));
    all.push_back(
        pair("gesummv", sizes, original_gesummv, tuned_gesummv, n, 1.5, 0.5, A, B, doubles(n), doubles(n)));
  }
  return all;
}

std::vector<Pair> grids_and_bodies() {
  std::vector<Pair> all;
  for (int n : {1024, 2048}) {
    const std::string sizes = "n " + std::to_string(n);
    const std::size_t nn = (std::size_t)n * n;
    all.push_back(pair("jacobi-2d", sizes + " steps 10", original_jacobi_2d, tuned_jacobi_2d, 10, n,
                       doubles(nn), doubles(nn)));
    all.push_back(
        pair("conv2d", sizes, original_conv2d, tuned_conv2d, n, n, floats(nn), floats(25), floats(nn)));
    all.push_back(pair("nbody", sizes, original_nbody, tuned_nbody, n, 0.125f, floats(3 * n), floats(n),
                       floats(3 * n)));
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  int repeats = 25;
  std::vector<std::string> wanted;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0) {
      repeats = 5;
    } else {
      wanted.emplace_back(argv[i]);
    }
  }
  std::printf("%-27s %31s %32s\n%-27s", "", "median, ms", "best, ms", "kernel");
  std::printf(" %9s %9s %9s  %9s %9s %9s\n", "original", "tuned", "ratio", "original", "tuned", "ratio");
  for (const auto& group : {products, vectors, grids_and_bodies}) {
    for (const Pair& p : group()) {
      if (wanted.empty() || std::find(wanted.begin(), wanted.end(), p.name) != wanted.end())
        compare(p, repeats);
    }
  }
  return 0;
}
