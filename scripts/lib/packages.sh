# shellcheck shell=bash
# What building and testing Noctune needs, by Debian and Ubuntu package, and how it is installed. To be sourced.

# What compiles and runs Noctune.
# shellcheck disable=SC2034  # read by the scripts that source this file
build_packages=(
  build-essential cmake ninja-build git
  libopenmpi-dev openmpi-bin libhdf5-dev libhwloc-dev libclang-dev libcurl4-openssl-dev libssl-dev zlib1g-dev
  nlohmann-json3-dev libcli11-dev libasio-dev libexpected-dev
  libgtest-dev libgmock-dev
)

# What its tests use besides. Formatting differs between versions of clang-format: 14 is what CI checks with.
# clang-tidy before 16 cannot read coroutines from the standard library of GCC.
# shellcheck disable=SC2034  # read by the scripts that source this file
test_packages=(
  hdf5-tools mpich libmpich-dev python3-h5py python3-jsonschema python3-pandas clang-format clang-tidy-16 ccache openssl
  hipcc libamdhip64-dev rocm-device-libs slurm-wlm munge shellcheck
)

# The same list for people whose machine has modules or Spack in place of apt.
requirements='a C++20 compiler (GCC 11 or newer), CMake 3.20 or newer, Ninja or Make, MPI (Open MPI or MPICH),
HDF5 (serial, C), hwloc, libclang, libcurl, OpenSSL (libcrypto), zlib, nlohmann/json, CLI11, Asio (stand-alone),
tl::expected; GoogleTest for the tests'

# Prints those of the given packages that dpkg does not know as installed.
missing_packages() {
  local package
  for package in "$@"; do
    # shellcheck disable=SC2016  # dpkg-query's own variables
    dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || echo "$package"
  done
}

# Installs what is missing of the given packages; does nothing, and calls no apt, when all are there.
# Without apt, or without the right to use it, says what is needed and leaves it to CMake to find it.
ensure_packages() {
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "No apt-get here. Noctune needs: $requirements."
    echo "Load the modules that provide them, or set CMAKE_PREFIX_PATH; going on with what CMake finds."
    return 0
  fi
  local missing as_root=()
  mapfile -t missing < <(missing_packages "$@")
  if [ "${#missing[@]}" -eq 0 ]; then return 0; fi
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "Not installed: ${missing[*]}" >&2
      echo "Neither root nor sudo: ask for them, or make other copies known by CMAKE_PREFIX_PATH. Going on." >&2
      return 0
    fi
    as_root=(sudo)
  fi
  echo "Installing: ${missing[*]}"
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
}
