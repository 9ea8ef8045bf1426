#include "evaluator/gpu/gpu_libraries.hpp"

#include <algorithm>
#include <iterator>

namespace noctune {
namespace {

// CUB and its relatives look for profilers by dlopen and getenv unless NVTX is off.
constexpr std::string_view no_nvtx = "-DCCCL_DISABLE_NVTX -DNVTX_DISABLE";
constexpr std::string_view cub_calls =
    "cudaGetLastError cudaGetDeviceCount cudaSetDevice cudaStreamIsCapturing cudaStreamGetCaptureInfo";
constexpr std::string_view hipcub_calls =
    "hipGetLastError hipGetDeviceCount hipSetDevice hipStreamGetDevice hipGetStreamDeviceId "
    "hipStreamIsCapturing";

constexpr VendorLibrary libraries[] = {
    {"cuda", "cublas", "cublas.h cublas_v2.h cublas_api.h cublasLt.h cublasXt.h", "-lcublas -lcublasLt", "",
     "cublas", ""},
    {"cuda", "cusparse", "cusparse.h cusparse_v2.h", "-lcusparse", "", "cusparse", ""},
    {"cuda", "cufft", "cufft.h cufftXt.h cufftw.h", "-lcufft", "", "cufft", ""},
    {"cuda", "cusolver", "cusolver_common.h cusolverDn.h cusolverSp.h cusolverRf.h cusolverMg.h",
     "-lcusolver", "", "cusolver", ""},
    {"cuda", "curand", "curand.h curand_kernel.h curand_", "-lcurand", "", "curand", ""},
    {"cuda", "cub", "cub/ thrust/", "", no_nvtx, "", cub_calls},
    {"cuda", "cutlass", "cutlass/ cute/", "", "", "", "cudaGetLastError cudaGetDeviceCount"},
    {"hip", "rocblas", "rocblas.h rocblas/", "-lrocblas", "", "rocblas_", ""},
    {"hip", "hipblas", "hipblas.h hipblas/", "-lhipblas", "", "hipblas", ""},
    {"hip", "hipblaslt", "hipblaslt.h hipblaslt/", "-lhipblaslt", "", "hipblasLt", ""},
    {"hip", "rocsparse", "rocsparse.h rocsparse/", "-lrocsparse", "", "rocsparse_", ""},
    {"hip", "hipsparse", "hipsparse.h hipsparse/", "-lhipsparse", "", "hipsparse", ""},
    {"hip", "rocfft", "rocfft.h rocfft/", "-lrocfft", "", "rocfft_", ""},
    {"hip", "hipfft", "hipfft.h hipfft/", "-lhipfft", "", "hipfft", ""},
    {"hip", "rocsolver", "rocsolver.h rocsolver/", "-lrocsolver", "", "rocsolver_", ""},
    {"hip", "hipsolver", "hipsolver.h hipsolver/", "-lhipsolver", "", "hipsolver", ""},
    {"hip", "hiprand", "hiprand.h hiprand_kernel.h hiprand/ rocrand/", "-lhiprand", "", "hiprand", ""},
    {"hip", "hipcub", "hipcub/ rocprim/ thrust/", "", "", "", hipcub_calls},
    {"hip", "rocwmma", "rocwmma/", "", "", "", ""},
};

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t stop = std::min(text.find(' '), text.size());
    if (stop > 0) out.push_back(text.substr(0, stop));
    text.remove_prefix(std::min(stop + 1, text.size()));
  }
  return out;
}

void append(std::vector<std::string>& out, std::string_view text) {
  for (const std::string_view one : words(text))
    if (std::find(out.begin(), out.end(), one) == out.end()) out.emplace_back(one);
}

std::string known_names(std::string_view backend) {
  std::string out;
  for (const VendorLibrary& one : libraries)
    if (one.backend == backend) out += (out.empty() ? "" : ", ") + std::string(one.name);
  return out;
}

bool listed(std::string_view text, std::string_view name) {
  const std::vector<std::string_view> all = words(text);
  return std::find(all.begin(), all.end(), name) != all.end();
}

bool belongs_to(std::string_view header, const VendorLibrary& library) {
  for (const std::string_view known : words(library.headers)) {
    const bool many = known.back() == '/' || known.back() == '_';
    if (many ? header.starts_with(known) : header == known) return true;
  }
  return false;
}

}  // namespace

bool AllowedLibraries::has(std::string_view name) const {
  return std::any_of(libraries.begin(), libraries.end(),
                     [&](const VendorLibrary* one) { return one->name == name; });
}

bool AllowedLibraries::allows_symbol(std::string_view symbol) const {
  return std::any_of(libraries.begin(), libraries.end(), [&](const VendorLibrary* one) {
    return (!one->symbol_start.empty() && symbol.starts_with(one->symbol_start)) ||
           listed(one->symbols, symbol);
  });
}

bool AllowedLibraries::allows_file(std::string_view file_name) const {
  return std::any_of(links.begin(), links.end(), [&](const std::string& link) {
    return file_name.starts_with("lib" + link.substr(2) + ".so");
  });
}

Result<AllowedLibraries> allowed_libraries(const std::string& backend,
                                           const std::vector<std::string>& names) {
  AllowedLibraries out;
  for (const std::string& name : names) {
    const auto found =
        std::find_if(std::begin(libraries), std::end(libraries),
                     [&](const VendorLibrary& one) { return one.backend == backend && one.name == name; });
    if (found == std::end(libraries))
      return fail("the library \"" + name + "\" cannot be allowed for the backend " + backend,
                  "it is not one that Noctune knows", "known libraries: " + known_names(backend));
    if (out.has(name)) continue;
    out.libraries.push_back(&*found);
    append(out.links, found->links);
    append(out.defines, found->defines);
  }
  return out;
}

const VendorLibrary* library_not_allowed(std::string_view header, const AllowedLibraries& allowed) {
  const VendorLibrary* out = nullptr;
  for (const VendorLibrary& one : libraries) {
    if (!belongs_to(header, one)) continue;
    if (allowed.has(one.name)) return nullptr;
    if (!out) out = &one;
  }
  return out;
}

const VendorLibrary* library_of_symbol(std::string_view symbol) {
  const auto found = std::find_if(std::begin(libraries), std::end(libraries), [&](const VendorLibrary& one) {
    return !one.symbol_start.empty() && symbol.starts_with(one.symbol_start);
  });
  return found == std::end(libraries) ? nullptr : &*found;
}

}  // namespace noctune
