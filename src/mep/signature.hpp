// The signature of an entry as the compiler's parser sees it, and how it differs from a spec.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/mep_spec.hpp"

namespace noctune {

struct SignatureParam {
  std::string name;
  std::string type;  // spelled canonically: "const double *", "int"
};

struct Signature {
  std::string entry;
  std::vector<SignatureParam> params;
  bool c_linkage = false;
};

// Reads the definition of `entry` from source text; `context` is the text that -include puts in front of it.
// Fails when the source cannot be parsed (first diagnostic) or defines no such function (lists those it
// defines).
Result<Signature> read_signature(const std::string& source, const std::string& context,
                                 const std::string& entry, const std::vector<std::string>& flags);

// The same of a source for a GPU, read without a compiler: the toolkit's headers may be missing here. The
// stream that the entry takes last is left out; its lack is an error. Types are spelled as the spec's, where
// they are the same.
Result<Signature> read_gpu_signature(const std::string& source, const MepSpec& spec);

// Says in one sentence how the signature differs from the spec's params (count, order, type), or nothing.
std::optional<std::string> signature_difference(const Signature& signature, const MepSpec& spec);

}  // namespace noctune
