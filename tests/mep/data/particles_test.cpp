#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <set>

#include "mep/data/contents.hpp"

namespace noctune::testing {
namespace {

using ::testing::HasSubstr;

std::string particles(const std::string& fields, const std::string& more = "") {
  return R"({"md": {"gen": "particles", )" + fields + "}" +
         (more.empty() ? "" : R"(, "nl": {"gen": "neighbours", "of": "md", )" + more + "}") + "}";
}

TEST(Particles, StandInsideTheirBoxAndApart) {
  for (const auto& [lattice, sites, jitter] :
       {std::tuple("sc", 1, "0.49"), std::tuple("bcc", 2, "0.24"), std::tuple("fcc", 4, "0.24")}) {
    const Contents made(particles(std::string(R"("cells": 4, "cells_z": 3, "a": 1.5, "lattice": ")") +
                                  lattice + R"(", "jitter": )" + jitter));
    ASSERT_EQ(made.count("md.n"), 48 * sites);
    EXPECT_EQ(made.symbols.at("md.box"), 6);
    EXPECT_EQ(made.symbols.at("md.box_z"), 4.5);
    const auto x = made.part("md.x"), y = made.part("md.y"), z = made.part("md.z"), xyz = made.part("md.xyz");
    std::set<std::tuple<double, double, double>> places;
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_TRUE(x[i] >= 0 && x[i] < 6 && y[i] >= 0 && y[i] < 6 && z[i] >= 0 && z[i] < 4.5);
      EXPECT_EQ(xyz[3 * i], x[i]);
      EXPECT_EQ(xyz[3 * i + 1], y[i]);
      EXPECT_EQ(xyz[3 * i + 2], z[i]);
      places.emplace(x[i], y[i], z[i]);
    }
    EXPECT_EQ(places.size(), x.size());
    EXPECT_NE(x, made.part("md.x", 6)) << "values have a seed";
  }
}

TEST(Particles, PackTypesAndCharges) {
  const Contents made(particles(R"("cells": 3, "types": 3, "first_type": 1, "pack": "xyz+type")"));
  const auto pack = made.part("md.pack"), x = made.part("md.x"), charge = made.part("md.charge");
  const auto type = made.whole("md.type");
  std::set<long long> types(type.begin(), type.end());
  EXPECT_EQ(types, (std::set<long long>{1, 2, 3}));
  double sum = 0;
  for (std::size_t i = 0; i < type.size(); ++i) {
    EXPECT_EQ(pack[4 * i], x[i]);
    EXPECT_EQ(pack[4 * i + 3], static_cast<double>(type[i]));
    EXPECT_TRUE(made.maker("md").is_label("pack", 4 * i + 3));
    EXPECT_FALSE(made.maker("md").is_label("pack", 4 * i));
    sum += charge[i];
  }
  EXPECT_EQ(sum, 0) << "the whole is neutral";
  EXPECT_EQ(type, made.whole("md.type", 9)) << "types belong to the structure";
}

TEST(Particles, MayBeCounted) {
  const Contents made(particles(R"("n": 1000, "pack": "xyz+mass")"));
  EXPECT_EQ(made.count("md.n"), 1000);
  EXPECT_EQ(made.count("md.box"), 7) << "7^3 cells of 4 hold 1000";
  EXPECT_EQ(made.part("md.pack").size(), 4000u);
  EXPECT_THAT(problem_of(particles(R"("n": 1000)", R"("cutoff": 1)")), HasSubstr("full lattice"));
}

struct Particle {
  double x, y, z;
};

// The nearest image of each pair, by looking at all of them.
double distance(const Particle& a, const Particle& b, double box) {
  const auto along = [&](double d) { return d - box * std::floor(d / box + 0.5); };
  const double x = along(a.x - b.x), y = along(a.y - b.y), z = along(a.z - b.z);
  return std::sqrt(x * x + y * y + z * z);
}

std::vector<Particle> places(const Contents& made, std::uint64_t seed) {
  const auto xyz = made.part("md.xyz", seed);
  std::vector<Particle> all;
  for (std::size_t i = 0; i < xyz.size(); i += 3) all.push_back({xyz[i], xyz[i + 1], xyz[i + 2]});
  return all;
}

using Pairs = std::set<std::pair<long long, long long>>;

Pairs pairs_of(const Contents& made) {
  const auto offsets = made.whole("nl.offsets"), list = made.whole("nl.list"), count = made.whole("nl.count");
  const auto rows = made.whole("nl.rows"), columns = made.whole("nl.columns");
  const auto n = static_cast<std::size_t>(made.count("md.n")),
             max = static_cast<std::size_t>(made.count("nl.max"));
  EXPECT_EQ(offsets.back(), made.count("nl.n"));
  Pairs pairs;
  for (std::size_t i = 0; i < n; ++i) {
    const auto length = static_cast<std::size_t>(count[i]);
    EXPECT_EQ(count[i], offsets[i + 1] - offsets[i]);
    EXPECT_LE(length, max);
    for (std::size_t k = 0; k < max; ++k) {
      EXPECT_EQ(rows[i * max + k], columns[k * n + i]);
      const long long wanted =
          k < length ? list[static_cast<std::size_t>(offsets[i]) + k] : static_cast<long long>(i);
      EXPECT_EQ(rows[i * max + k], wanted);
      const bool fresh = k >= length || pairs.emplace(i, rows[i * max + k]).second;
      EXPECT_TRUE(fresh) << "listed twice";
    }
  }
  return pairs;
}

TEST(Neighbours, HoldEveryPairWithinTheCutoffForAnyValues) {
  for (const char* lattice : {"sc", "bcc", "fcc"}) {
    const Contents made(
        particles(std::string(R"("cells": 5, "a": 2, "jitter": 0.07, "lattice": ")") + lattice + "\"",
                  R"("cutoff": 2.9)"));
    const Pairs pairs = pairs_of(made);
    for (const std::uint64_t seed : {1u, 2u}) {
      const auto all = places(made, seed);
      long long within = 0;
      for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = 0; j < all.size(); ++j) {
          if (i == j) continue;
          const double apart = distance(all[i], all[j], made.symbols.at("md.box"));
          const bool listed = pairs.count({static_cast<long long>(i), static_cast<long long>(j)}) > 0;
          EXPECT_TRUE(listed || apart > 2.9) << lattice << " " << i << " " << j;
          EXPECT_TRUE(!listed || apart <= made.symbols.at("nl.reach") * (1 + 1e-12)) << lattice;
          within += apart <= 2.9;
        }
      EXPECT_GT(within, static_cast<long long>(all.size()) * 5);
    }
    for (const auto& [i, j] : pairs) EXPECT_TRUE(pairs.count({j, i})) << "full lists are symmetric";
    std::set<long long> lengths;
    for (const long long one : made.whole("nl.count")) lengths.insert(one);
    EXPECT_GT(lengths.size(), 3u) << lattice << ": rows differ in length";
  }
}

TEST(Neighbours, HalfListsNameEachPairOnce) {
  const std::string set = R"("cells": 5, "lattice": "fcc")";
  const Pairs full = pairs_of(Contents(particles(set, R"("cutoff": 1.2)")));
  const Pairs half = pairs_of(Contents(particles(set, R"("cutoff": 1.2, "list": "half")")));
  EXPECT_EQ(2 * half.size(), full.size());
  for (const auto& [i, j] : half) {
    EXPECT_TRUE(full.count({i, j}));
    EXPECT_FALSE(half.count({j, i}));
  }
}

TEST(Neighbours, StructureHasASeed) {
  const std::string spec = particles(R"("cells": 5)", R"("cutoff": 1.2)");
  EXPECT_EQ(Contents(spec, 3).whole("nl.list"), Contents(spec, 3).whole("nl.list"));
  EXPECT_NE(Contents(spec, 3).whole("nl.list"), Contents(spec, 4).whole("nl.list"));
  EXPECT_FALSE(Contents(spec).maker("nl").varies("list"));
}

TEST(Neighbours, CellListsHoldEachParticleOnce) {
  const Contents made(
      particles(R"("cells": 6, "cells_y": 9, "jitter": 0.24, "lattice": "bcc")", R"("cutoff": 1.1)"));
  const long long cells = made.count("nl.cells"), each = made.count("nl.per_cell");
  ASSERT_GT(cells, 1);
  const auto cell_of = made.whole("nl.cell_of"), members = made.whole("nl.cells"),
             head = made.whole("nl.head"), next = made.whole("nl.next");
  const auto all = places(made, 5);
  const double width = made.symbols.at("md.box_y") / static_cast<double>(made.count("nl.cells_y"));
  EXPECT_GE(width, made.symbols.at("nl.reach"));
  std::set<long long> seen;
  for (long long cell = 0; cell < cells; ++cell) {
    std::vector<long long> linked;
    for (long long i = head[static_cast<std::size_t>(cell)]; i >= 0; i = next[static_cast<std::size_t>(i)])
      linked.push_back(i);
    ASSERT_EQ(static_cast<long long>(linked.size()), each);
    for (long long k = 0; k < each; ++k) {
      const long long i = members[static_cast<std::size_t>(cell * each + k)];
      EXPECT_EQ(linked[static_cast<std::size_t>(k)], i);
      EXPECT_EQ(cell_of[static_cast<std::size_t>(i)], cell);
      EXPECT_EQ(static_cast<long long>(all[static_cast<std::size_t>(i)].y / width),
                cell / made.count("nl.cells_x") % made.count("nl.cells_y"));
      seen.insert(i);
    }
  }
  EXPECT_EQ(static_cast<long long>(seen.size()), made.count("md.n"));
}

TEST(Particles, SayWhatCannotBe) {
  EXPECT_THAT(problem_of(particles(R"("a": 1)")), HasSubstr("either cells"));
  EXPECT_THAT(problem_of(particles(R"("cells": 4, "jitter": 0.3)")),
              HasSubstr("jitter lies outside 0 to 0.24"));
  EXPECT_THAT(problem_of(particles(R"("cells": 4)", R"("cutoff": 7)")),
              AllOf(HasSubstr("more than five cells"), HasSubstr("same unit")));
  EXPECT_THAT(problem_of(particles(R"("cells": 2)", R"("cutoff": 1.2)")),
              HasSubstr("set that as the size's min"));
  EXPECT_THAT(problem_of(particles(R"("cells": 9)", R"("cutoff": 1.2, "skin": 0.1)")),
              HasSubstr("make up for the jitter"));
  EXPECT_THAT(problem_of(R"({"nl": {"gen": "neighbours", "of": "md", "cutoff": 1}})"),
              HasSubstr("no set of particles that stands before"));
}

}  // namespace
}  // namespace noctune::testing
