set(polybench hotspots/polybench)
noctune_suite_test(solvers SOURCES ${polybench}/adi ${polybench}/correlation ${polybench}/covariance ${polybench}/gramschmidt
  ${polybench}/2dconv ${polybench}/3dconv ${polybench}/fdtd-2d ${polybench}/jacobi-2d ${polybench}/lu)

# Candidates, as <entry>_good, <entry>_slow and <entry>_wrong.
foreach(hotspot 2dconv:conv2d jacobi-2d:jacobi_2d lu:lu)
  string(REGEX MATCH "(.*):(.*)" _ ${hotspot})
  foreach(version good slow wrong)
    set(candidate suites_solvers_${CMAKE_MATCH_1}_${version})
    add_library(${candidate} OBJECT ${PROJECT_SOURCE_DIR}/${polybench}/candidates/${CMAKE_MATCH_1}/${version}.cpp)
    target_compile_definitions(${candidate} PRIVATE ${CMAKE_MATCH_2}=${CMAKE_MATCH_2}_${version})
    target_link_libraries(${candidate} PRIVATE noctune_flags OpenMP::OpenMP_CXX)
    target_link_libraries(suites_solvers_test PRIVATE ${candidate})
  endforeach()
endforeach()
