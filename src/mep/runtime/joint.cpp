#include "joint.hpp"

namespace noctune {

std::unique_ptr<JointMaker> make_joint(const JointSet& set, std::uint64_t structure_key) {
  if (set.generator == "csr") return make_sparse(set, structure_key);
  if (set.generator == "matrix") return make_matrix(set);
  if (set.generator == "particles") return make_particles(set, structure_key);
  if (set.generator == "neighbours") return make_neighbours(set, structure_key);
  if (set.generator == "graph") return make_graph(set, structure_key);
  if (set.generator == "mesh") return make_mesh(set, structure_key);
  if (set.generator == "keys") return make_keys(set, structure_key);
  return nullptr;
}

}  // namespace noctune
