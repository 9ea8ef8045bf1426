// Placing a winner where no rule can: somebody who understands the application says which of its lines
// change, and the winner's own code is put in beside them as it was measured.
#pragma once

#include <string>
#include <vector>

#include "integration/placer.hpp"

namespace noctune {

// Lines of a file that are there once, and what takes their place.
struct FileEdit {
  std::string search, replace;
};

// The edits in an answer, in order:
//   <<<<<<< SEARCH
//   lines of the file
//   =======
//   lines in their place
//   >>>>>>> REPLACE
// Whatever stands around them is passed over. Fails where there are none, or one is cut off.
Result<std::vector<FileEdit>> read_file_edits(const std::string& answer);

// The file with these edits, which must call the winner under the name that winner_head() shows. Lines are
// found as they are, else by their text without indentation. The winner stands above the first function that
// changes. Fails with what its author can mend.
Result<Placed> place_by_edits(const PlaceRequest& request, const std::vector<FileEdit>& edits);

// The declaration of the winner's entry as edits may call it: "void spmv_noctune(int n, const double* x)".
// Fails where the version is no plain function.
Result<std::string> winner_head(const PlaceRequest& request);

}  // namespace noctune
