// Fences a second copy of the program: one small file beside the results, held by one run at a time.
// The holder beats every 20 s or so and asks check() before it commits; a run that lost its lease must stop.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "base/files.hpp"

namespace noctune {

// "<F>.lease" for results file F.
std::filesystem::path lease_path(const std::filesystem::path& target);

struct LeaseOwner {
  std::string run_uuid, job_id, host, boot_id;
  int restarts = 0;  // of the job, as the batch system counts them
  long long pid = 0;
  long long process_start = 0;  // ticks since boot; tells a reused pid apart
  double started = 0, heartbeat = 0;
};

class Lease {
 public:
  static constexpr double stale_after_s = 90;

  // Refuses while another run holds it; takes over one whose process is gone, whose heart stopped, or that
  // belongs to an earlier start of our own job: the batch system has given that one up, though it may still
  // run on a lost node.
  static Result<Lease> take(const std::filesystem::path& path, const std::string& run_uuid,
                            const std::string& job_id, int restarts = 0);
  Lease(Lease&&) noexcept = default;
  Lease& operator=(Lease&& other) noexcept;
  ~Lease() { release(); }

  Result<void> beat();
  // Ours still? An error says who has it now.
  Result<void> check() const;
  void release();
  // Whose stale lease was taken over, if any.
  const std::optional<LeaseOwner>& predecessor() const { return predecessor_; }

 private:
  Lease(std::filesystem::path path, LeaseOwner self, Descriptor file);

  std::filesystem::path path_;
  LeaseOwner self_;
  Descriptor file_;
  std::optional<LeaseOwner> predecessor_;
};

// Who holds the target at the moment; none when the lease is absent or stale.
std::optional<LeaseOwner> live_owner(const std::filesystem::path& lease);

}  // namespace noctune
