#include "sandbox/descriptors.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace noctune {
namespace {

bool is_open(int fd) {
  return ::fcntl(fd, F_GETFD) >= 0;
}

// Closing everything is tried in a child of its own, which exits with the number of the check that failed.
template <class F>
int in_child(F&& checks) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(checks());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class CloseAll : public testing::TestWithParam<CloseBy> {};
INSTANTIATE_TEST_SUITE_P(Ways, CloseAll, testing::Values(CloseBy::range_or_each, CloseBy::each));

TEST_P(CloseAll, KeepsOnlyWhatIsListed) {
  const auto checks = [] {
    for (int fd : {20, 21, 22, 500}) ::dup2(0, fd);
    close_all_except({21, 0, 1, 2, 500}, GetParam());
    if (!is_open(0) || !is_open(2) || !is_open(21) || !is_open(500)) return 1;
    for (int fd = 3; fd < 600; ++fd)
      if (fd != 21 && fd != 500 && is_open(fd)) return 2;
    return 0;
  };
  EXPECT_EQ(in_child(checks), 0);
}

TEST_P(CloseAll, MayKeepNothing) {
  const auto checks = [] {
    close_all_except({}, GetParam());
    for (int fd = 0; fd < 64; ++fd)
      if (is_open(fd)) return 1;
    return 0;
  };
  EXPECT_EQ(in_child(checks), 0);
}

TEST(PlaceDescriptors, SwapsNumbersOfEachOther) {
  const auto checks = [] {
    int one[2], two[2];
    if (::pipe(one) != 0 || ::pipe(two) != 0) return 1;
    ::dup2(one[1], 40);
    ::dup2(two[1], 41);
    if (!place_descriptors({{40, 41}, {41, 40}})) return 2;
    if (::write(41, "1", 1) != 1 || ::write(40, "2", 1) != 1) return 3;
    char first = 0, second = 0;
    if (::read(one[0], &first, 1) != 1 || ::read(two[0], &second, 1) != 1) return 4;
    return first == '1' && second == '2' ? 0 : 5;
  };
  EXPECT_EQ(in_child(checks), 0);
}

TEST(PlaceDescriptors, StaysOpenAcrossExecEvenInItsOwnPlace) {
  const auto checks = [] {
    ::dup3(0, 40, O_CLOEXEC);
    if (!place_descriptors({{40, 40}})) return 1;
    return ::fcntl(40, F_GETFD) == 0 ? 0 : 2;
  };
  EXPECT_EQ(in_child(checks), 0);
}

TEST(PlaceDescriptors, RefusesAClosedOne) {
  EXPECT_FALSE(place_descriptors({{987, 5}}));
}

TEST(PlaceDescriptors, FreeNumbersLieAboveAllWanted) {
  EXPECT_EQ(first_free_number({}), 3);
  EXPECT_EQ(first_free_number({{1, 9}, {2, 4}}), 10);
}

}  // namespace
}  // namespace noctune
