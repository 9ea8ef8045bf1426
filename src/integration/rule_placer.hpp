// Places winners by rules on the source text, without a compiler. In order:
//   the file is K(0) itself: the winner is the file;
//   it holds a function of the entry's name and parameters, or with K(0)'s body: it gets the winner's body,
//     and what the winner needs besides stands above it;
//   it holds K(0)'s kernels, launched inside larger functions: each launch becomes a call of the winner's
//     entry, if the launch says all its arguments.
// Whatever the text, the answer is text or an error; the application's self-check has the last word.
#pragma once

#include "integration/placer.hpp"

namespace noctune {

class RulePlacer final : public Placer {
 public:
  Result<Placed> place(const PlaceRequest& request) const override;
};

}  // namespace noctune
