// The contents of data sets whose parts fit together. A maker knows one set's structure; every number is a
// function of (structure key, values key, part, index), so any thread may make any block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "joint_set.hpp"

namespace noctune {

struct JointRequest {
  const std::string& part;
  std::uint64_t values;  // key of this call's values
};

// A part that is another one transposed: number k of row i stands at k * rows + i.
struct Transposed {
  const char* of = nullptr;  // null: it is not
  std::size_t width = 0;     // numbers in a row
};

class JointMaker {
 public:
  virtual ~JointMaker() = default;
  // Numbers first ... first + count - 1 of a part, row by row where a part has rows.
  virtual void block(const JointRequest& wanted, std::uint64_t first, std::size_t count,
                     double* out) const = 0;
  // The elements as they lie in memory, where a part comes so: then block() is never asked. Good until the
  // next call; not for several threads.
  virtual const char* bytes(const JointRequest&) const { return nullptr; }
  // block() is never asked for a part that is another transposed: rows are made whole and then spread.
  virtual Transposed transposed(const std::string&) const { return {}; }
  // Blocks of this many numbers, or of a multiple, are made without doing work twice.
  virtual std::size_t grain(const std::string&) const { return 1; }
  // Whether another values key makes other contents.
  virtual bool varies(const std::string&) const { return false; }
  // Numbers that stand for something, as a type in a pack does: no variant may move them.
  virtual bool is_label(const std::string&, std::uint64_t) const { return false; }
};

// Null where the generator is not known.
std::unique_ptr<JointMaker> make_joint(const JointSet& set, std::uint64_t structure_key);

std::unique_ptr<JointMaker> make_sparse(const JointSet& set, std::uint64_t structure_key);
std::unique_ptr<JointMaker> make_matrix(const JointSet& set);
std::unique_ptr<JointMaker> make_particles(const JointSet& set, std::uint64_t structure_key);
std::unique_ptr<JointMaker> make_neighbours(const JointSet& set, std::uint64_t structure_key);
std::unique_ptr<JointMaker> make_graph(const JointSet& set, std::uint64_t structure_key);
std::unique_ptr<JointMaker> make_mesh(const JointSet& set, std::uint64_t structure_key);
std::unique_ptr<JointMaker> make_keys(const JointSet& set, std::uint64_t structure_key);

}  // namespace noctune
