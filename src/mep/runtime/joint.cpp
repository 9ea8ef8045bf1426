#include "joint.hpp"

namespace noctune {

std::unique_ptr<JointMaker> make_joint(const JointSet& set, std::uint64_t structure_key) {
  if (set.generator == "csr") return make_sparse(set, structure_key);
  if (set.generator == "matrix") return make_matrix(set);
  return nullptr;
}

}  // namespace noctune
