set(polybench hotspots/polybench)
noctune_suite_test(solvers SOURCES ${polybench}/adi ${polybench}/correlation ${polybench}/covariance ${polybench}/gramschmidt
  ${polybench}/2dconv ${polybench}/3dconv ${polybench}/fdtd-2d ${polybench}/jacobi-2d ${polybench}/lu)
