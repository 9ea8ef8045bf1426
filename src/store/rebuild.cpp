#include "store/rebuild.hpp"

#include "base/digest.hpp"
#include "store/journal.hpp"
#include "store/lease.hpp"

namespace noctune {
namespace fs = std::filesystem;

Result<BuildFacts> rebuild_results(const fs::path& target, bool prune) {
  const fs::path folder = journal_folder(target);
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return fail("cannot rebuild " + target.string(), "there is no journal " + folder.string(),
                "name the results file as it was given to noctune tune; its journal lies beside it");
  const Result<Lease> lease = Lease::take(lease_path(target), random_uuid(), "");
  if (!lease) return Failure(lease.error());
  Result<BuildFacts> facts = build_results(folder, target, "interrupted");
  if (!facts || !prune) return facts;
  if (!facts->problems.empty())
    return fail("the journal of " + target.string() + " is kept",
                "lines of it could not be read, first: " + facts->problems.front(),
                "the results file was built from the rest; rebuild without --prune");
  fs::remove_all(folder, error);
  if (error) return fail("cannot remove the journal " + folder.string(), error.message());
  return facts;
}

}  // namespace noctune
