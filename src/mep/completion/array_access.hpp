// Every touch of the entry's buffers by all kernels, in the order in which the entry does them, with the
// elements that it can reach.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "mep/completion/index_bounds.hpp"

namespace noctune {

struct ArrayAccess {
  SourceAccess::Kind kind = SourceAccess::Kind::read;
  std::string array;                // as the entry names it
  std::string member;               // of its records
  IndexRange range;                 // elements, dimensions taken together
  std::optional<Polynomial> index;  // before any variable went to its end
  std::set<std::string> via;        // arrays whose values decide the index
  bool conditional = false;         // whether it happens depends on the contents of arrays
  Polynomial repeats = 1;           // how often its loops run it, threads included
  int loops = 0;                    // of the kernel around it
  std::size_t use = 0;              // which call of a kernel
  std::size_t statement = 0;        // of the kernel's body, in order
  const SourceAccess* source = nullptr;

  bool reads() const { return kind != SourceAccess::Kind::write; }
  bool writes() const { return kind != SourceAccess::Kind::read; }
};

// A loop whose bounds are read from arrays: for (e = first[i]; e < first[i + 1]; ++e), or up to count[i].
struct ListLoop {
  std::string first;  // empty: it starts from 0
  std::string count;  // empty: `first` says where it ends
  std::size_t use = 0;
};

// What is known of all buffers together. Keeps pointers into the facts and the uses.
struct ArrayAccesses {
  std::vector<ArrayAccess> all;
  std::map<std::string, std::set<long long>> divisors;  // by size: numbers that must divide it
  std::set<std::string> powers_of_two;                  // sizes that must be
  std::vector<ListLoop> lists;
  std::set<std::string> bounds;    // names that loops and guards compare with, and pitches of rows
  std::vector<Polynomial> depths;  // accumulated terms per output element, by use

  std::vector<const ArrayAccess*> of(const std::string& array) const;
};

ArrayAccesses collect_accesses(const SourceFacts& facts, const std::string& source,
                               const std::vector<KernelUse>& uses,
                               const std::map<std::string, std::string>& defines);

}  // namespace noctune
