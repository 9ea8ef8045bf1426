# shellcheck shell=bash
# Configuring, building and starting under MPI, as the scripts share it. To be sourced in the project's root.

jobs=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)

# What was compiled in one checkout serves another; included files are told by the compiler rather than looked for.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1

# configure PRESET [CMAKE ARGUMENTS]: the arguments count only for a new build folder, so that one set up by hand
# stays as it is.
configure() {
  local preset=$1 folder log new=()
  shift
  folder=$(build_folder "$preset")
  if [ ! -f "$folder/CMakeCache.txt" ]; then
    new=("$@")
    if command -v ninja >/dev/null; then new+=(-G Ninja); fi
    if command -v ccache >/dev/null; then new+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
  fi
  if ! log=$(cmake --preset "$preset" "${new[@]}" 2>&1); then
    printf '%s\n' "$log" >&2
    return 1
  fi
}

# As in CMakePresets.json.
build_folder() {
  if [ "$1" = release ]; then echo build; else echo "build-$1"; fi
}

build() {
  local preset=$1
  shift
  cmake --build --preset "$preset" -j "$jobs" "$@"
}

# test_programs PRESET CTEST-ARGUMENTS: the tests so chosen that are a build target of the same name.
test_programs() {
  local folder targets
  folder=$(build_folder "$1")
  shift
  targets=$(cmake --build "$folder" --target help | sed -n 's/^\(\.\.\. \)\?\([A-Za-z0-9_]*\)\(: phony\)\?$/\2/p')
  ctest --test-dir "$folder" -N "$@" | sed -n 's/^ *Test *#[0-9]*: //p' | grep -Fxf <(echo "$targets") || true
}

# What Open MPI needs to start more ranks than there are cores, unbound, and as root inside a container. Noctune
# pins its own processes. MPICH ignores all of these.
allow_any_mpi_start() {
  export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
  export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none
  if [ "$(id -u)" -eq 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  fi
}

# Prints the mpirun of the MPI that FOLDER was built with, if it can start anything here.
working_mpirun() {
  local launcher
  launcher=$(sed -n 's/^MPIEXEC_EXECUTABLE:[^=]*=//p' "$1/CMakeCache.txt")
  launcher=${launcher:-mpirun}
  if command -v "$launcher" >/dev/null && "$launcher" -n 2 true >/dev/null 2>&1; then echo "$launcher"; fi
}
