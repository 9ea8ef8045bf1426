// Whatever bytes come in, reading ends soon and quietly.
#include <chrono>
#include <random>

#include "mep/reading/facts_fixture.hpp"

namespace noctune {
namespace {

const std::string sample = R"(
#include <cuda_runtime.h>
#define TILE 16
#define AT(m, i, j) m[(i) * n + (j)]
#if TILE > 8
typedef struct { float x, y; int* list; double box[3]; } Atom;
#endif
__constant__ float table[TILE * 2];
template <typename T, int B = 4>
__global__ void __launch_bounds__(256) gemm(int n, T alpha, const T* __restrict__ A, T (*B2)[3], Atom atom, Atom* list) {
  __shared__ T tile[TILE][TILE + 1];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T* row = A + i * n;
  for (int k = 0; k < n; k += 2) {
    AT(tile, k, i) = row[k] * (T)table[k % TILE];
    do { atomicAdd(&list[i].x, 1.0f); } while (atom.list[i] > 0);
    switch (k) { case 1: B2[i][2] += ((float4*)A)[k].x; break; default: ; }
  }
  float4 v = *reinterpret_cast<const float4*>(&A[4 * i]);
}
// launched as: gemm<float, 4><<<dim3((n + 15) / 16), 256>>>(n, 1.0f, A, b, atom, list);
void run(int n, float* A) { for (int t = 0; t < 3; ++t) { gemm<float><<<(n + 255) / 256, 256>>>(n, 1.0f, A, nullptr, Atom{}, nullptr); } }
)";

std::string mutated(std::mt19937& random) {
  static const std::string alphabet = "(){}[]<>;,:*&#\"'/\\\n=+-.abx0 ";
  std::string text = sample;
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  for (std::size_t change = below(8) + 1; change > 0 && text.size() > 2; --change) {
    const std::size_t at = below(text.size());
    switch (below(5)) {
      case 0:
        text[at] = alphabet[below(alphabet.size())];
        break;
      case 1:
        text.erase(at, below(40) + 1);
        break;
      case 2:
        text.insert(at, 1, alphabet[below(alphabet.size())]);
        break;
      case 3:
        text.insert(at, sample, below(sample.size()), below(60));
        break;
      default:
        text[at] = static_cast<char>(below(256));
    }
  }
  return text;
}

// Ranges lie within the source, so that whoever cuts there cuts safely.
void expect_sound(const SourceFacts& facts, const std::string& source) {
  for (const SourceFunction& function : facts.functions) {
    EXPECT_LE(function.declaration.begin, function.declaration.end);
    EXPECT_LE(function.body.begin, function.body.end);
    EXPECT_LE(function.body.end, source.size());
    for (const SourceAccess& access : function.accesses) EXPECT_LE(access.where.end, source.size());
  }
}

TEST(ReadAnything, Truncations) {
  for (std::size_t length = 0; length <= sample.size(); ++length) {
    const std::string source = sample.substr(0, length);
    expect_sound(read_source(source), source);
  }
}

TEST(ReadAnything, Mutations) {
  std::mt19937 random(7);
  const SourceFacts facts = read_source(sample);
  for (int round = 0; round < 3000; ++round) {
    const std::string source = mutated(random);
    expect_sound(read_source(source), source);
    read_call_site(source, facts);
  }
}

std::string repeated(const std::string& text, std::size_t bytes) {
  std::string out;
  while (out.size() < bytes) out += text;
  return out;
}

double seconds_to_read(const std::string& source) {
  const auto start = std::chrono::steady_clock::now();
  read_source(source);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(ReadAnything, AMegabyteOfBraces) {
  EXPECT_LT(seconds_to_read(repeated("{", 1 << 20)), 30);
  EXPECT_LT(seconds_to_read("void f(float* a) {" + repeated("}{", 1 << 20)), 30);
}

// What is quadratic takes minutes for these lengths.
TEST(ReadAnything, LongRunsOfOneThing) {
  const std::string kernel = "__global__ void f(float* a, float* b, int n) { ";
  for (const char* text : {"(",
                           ")",
                           "[",
                           "a[",
                           "a<",
                           "a<b,",
                           "if (a) ",
                           "if(a){",
                           "for(;;)",
                           "do ",
                           "f(",
                           "*",
                           "&a[",
                           "(float*)",
                           "x = ",
                           "#if A\n",
                           "#if (",
                           "#define A(x) A(x) A\n",
                           "/*",
                           "\"",
                           "a ? b : ",
                           "struct a {",
                           "template <",
                           "namespace a {",
                           "a->b.",
                           "f(a,",
                           "<<<",
                           ">>>",
                           "k<<<1,1>>>(a);",
                           "else ",
                           "a::",
                           "float* p = a + 1;",
                           "a += b;",
                           "case 1:",
                           "while(1)do ",
                           "extern \"C\" {",
                           "int a,",
                           "(*a)",
                           "f(b + a);",
                           "do{f<<<1,1>>>(a);}while(1);",
                           "a<b>c "}) {
    const std::string many = repeated(text, 1 << 17);
    EXPECT_LT(seconds_to_read(many) + seconds_to_read(kernel + many), 20) << text;
  }
}

}  // namespace
}  // namespace noctune
