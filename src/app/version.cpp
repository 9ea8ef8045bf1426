#include "app/version.hpp"

#include "base/hdf5.hpp"
#include "base/mpi.hpp"
#include "base/topology.hpp"

namespace noctune {

std::string version_number() {
  return NOCTUNE_VERSION;
}

std::string version_text() {
  std::string out = "noctune " + version_number() + "\n";
  out += "  compiler  " NOCTUNE_COMPILER "\n";
  out += "  MPI       " + mpi_library_version() + "\n";
  out += "  HDF5      " + hdf5_version() + "\n";
  out += "  hwloc     " + hwloc_version() + "\n";
  out += "  backends  openmp, cuda, hip";
  return out;
}

}  // namespace noctune
