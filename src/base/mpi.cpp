#include "base/mpi.hpp"

#include <mpi.h>

#include <cstdlib>
#include <cstring>

namespace noctune {
namespace {

// Before every payload: rejects messages of other versions and truncated ones.
struct Header {
  std::uint32_t magic = 0x4e4f4354;  // "NOCT"
  std::uint32_t type = 0;
  std::uint64_t task = 0;
  std::uint64_t length = 0;
};

constexpr int message_tag = 7;
constexpr std::size_t largest_payload = std::size_t{1} << 30;  // MPI counts are int

void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw std::runtime_error(std::string(call) +
                           " failed: " + std::string(text, static_cast<std::size_t>(length)));
}

int number_from(const char* variable) {
  const char* text = std::getenv(variable);
  return text ? std::atoi(text) : 0;
}

bool under_launcher() {
  for (const char* variable :
       {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
    if (std::getenv(variable)) return true;
  return false;
}

}  // namespace

struct MpiSession::Outgoing {
  std::string bytes;
  MPI_Request request = MPI_REQUEST_NULL;
};

int launcher_process_count() {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
    if (const int count = number_from(variable)) return count;
  return 0;
}

int launcher_rank() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"})
    if (std::getenv(variable)) return number_from(variable);
  return number_from("SLURM_PROCID");
}

std::string mpi_library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string out(text, static_cast<std::size_t>(length));
  out = out.substr(0, out.find_first_of(",\n"));
  for (char& c : out)
    if (c == '\t' || c == ':') c = ' ';  // "MPICH Version:\t4.0.2"
  return out;
}

MpiSession::MpiSession(int* argc, char*** argv) {
  if (!under_launcher()) return;
  int provided = 0;
  check(MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
  active_ = true;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(MPI_COMM_WORLD, &size_), "MPI_Comm_size");
  const int launched = launcher_process_count();
  if (launched > 1 && size_ == 1) {
    MPI_Finalize();
    active_ = false;
    throw UserError({"the launcher started " + std::to_string(launched) + " processes, but MPI sees only one",
                     "they would all run the same campaign side by side",
                     "this noctune was built with " + mpi_library_version() +
                         "; use that MPI's own mpirun, or srun --mpi=pmix (Open MPI) or --mpi=pmi2 (MPICH)"});
  }
}

MpiSession::~MpiSession() {
  if (active_) MPI_Finalize();
}

void MpiSession::abort(int code) const {
  if (active_) MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

std::vector<std::string> MpiSession::all_gather(const std::string& mine) const {
  if (!active_) return {mine};
  int length = static_cast<int>(mine.size());
  std::vector<int> lengths(static_cast<std::size_t>(size_)), offsets(static_cast<std::size_t>(size_));
  check(MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, MPI_COMM_WORLD), "MPI_Allgather");
  int total = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    offsets[i] = total;
    total += lengths[i];
  }
  std::string all(static_cast<std::size_t>(total), '\0');
  check(MPI_Allgatherv(mine.data(), length, MPI_CHAR, all.data(), lengths.data(), offsets.data(), MPI_CHAR,
                       MPI_COMM_WORLD),
        "MPI_Allgatherv");
  std::vector<std::string> out;
  for (std::size_t i = 0; i < lengths.size(); ++i)
    out.push_back(all.substr(static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(lengths[i])));
  return out;
}

void MpiSession::send(int to, int type, std::uint64_t task, std::string payload) {
  if (!active_ || to == rank_) throw std::logic_error("a rank does not send to itself");
  if (payload.size() > largest_payload) throw std::length_error("message too large for MPI");
  Header header;
  header.type = static_cast<std::uint32_t>(type);
  header.task = task;
  header.length = payload.size();
  auto out = std::make_unique<Outgoing>();
  out->bytes.assign(reinterpret_cast<const char*>(&header), sizeof header);
  out->bytes += payload;
  check(MPI_Isend(out->bytes.data(), static_cast<int>(out->bytes.size()), MPI_BYTE, to, message_tag,
                  MPI_COMM_WORLD, &out->request),
        "MPI_Isend");
  outbox_.push_back(std::move(out));
}

void MpiSession::push_outgoing() {
  for (std::size_t i = 0; i < outbox_.size();) {
    int done = 0;
    check(MPI_Test(&outbox_[i]->request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done) {
      outbox_.erase(outbox_.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
}

std::optional<MpiMessage> MpiSession::poll() {
  if (!active_) return {};
  push_outgoing();
  int arrived = 0;
  MPI_Message matched = MPI_MESSAGE_NULL;
  MPI_Status status;
  check(MPI_Improbe(MPI_ANY_SOURCE, message_tag, MPI_COMM_WORLD, &arrived, &matched, &status), "MPI_Improbe");
  if (!arrived) return {};
  int count = 0;
  check(MPI_Get_count(&status, MPI_BYTE, &count), "MPI_Get_count");
  std::string bytes(static_cast<std::size_t>(count), '\0');
  check(MPI_Mrecv(bytes.data(), count, MPI_BYTE, &matched, &status), "MPI_Mrecv");
  MpiMessage message;
  message.source = status.MPI_SOURCE;
  Header header;
  if (bytes.size() < sizeof header) return message;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != Header{}.magic || header.length != bytes.size() - sizeof header) return message;
  message.type = static_cast<int>(header.type);
  message.task = header.task;
  message.payload = bytes.substr(sizeof header);
  return message;
}

bool MpiSession::sent_all() const {
  return outbox_.empty();
}

}  // namespace noctune
