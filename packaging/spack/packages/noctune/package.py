from spack.package import *

try:  # Spack 1.0 and newer; before, spack.package had it
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:
    pass


class Noctune(CMakePackage):
    """MPI-parallel batch tuner for the hot kernels of HPC applications."""

    # There is no archive to fetch: docs/install.md says how to build from a checkout.
    license("Apache-2.0")
    version("0.1.0")

    variant("cuda", default=False, description="nvcc, to tune CUDA kernels; Noctune itself needs no toolkit")
    variant("rocm", default=False, description="hipcc, to tune HIP kernels; Noctune itself needs no toolkit")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.20:", type="build")
    depends_on("ninja", type="build")

    depends_on("mpi")
    depends_on("hdf5~mpi")
    depends_on("hwloc")
    depends_on("llvm+clang")
    depends_on("curl")
    depends_on("openssl")
    depends_on("zlib-api")
    depends_on("nlohmann-json")
    depends_on("cli11")
    depends_on("asio")
    depends_on("tl-expected")
    depends_on("googletest+gmock", type="test")

    # Found in PATH when a campaign runs; both are loaded with noctune.
    depends_on("cuda", type="run", when="+cuda")
    depends_on("hip", type="run", when="+rocm")

    conflicts("%gcc@:10", msg="coroutines of C++20 need GCC 11 or newer")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("NOCTUNE_BUILD_TESTS", self.run_tests),
            self.define("NOCTUNE_BUILD_BENCHMARKS", False),
        ]
