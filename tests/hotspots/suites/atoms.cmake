noctune_suite_test(atoms SOURCES
  hotspots/apps/gauss-seidel/gauss-seidel
  hotspots/apps/lattice-boltzmann/lattice-boltzmann)
