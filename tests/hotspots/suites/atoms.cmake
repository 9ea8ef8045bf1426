set(apps ${PROJECT_SOURCE_DIR}/hotspots/apps)
set_source_files_properties(${apps}/eam-energy/eam-energy.cpp PROPERTIES COMPILE_OPTIONS
  "-include;${CMAKE_CURRENT_LIST_DIR}/float4.hpp")
noctune_suite_test(atoms SOURCES
  hotspots/apps/eam-energy/eam-energy
  hotspots/apps/gauss-seidel/gauss-seidel
  hotspots/apps/lattice-boltzmann/lattice-boltzmann
  hotspots/apps/md-force/md-force)
# Candidates, as <entry>_good and so on.
foreach(name lattice-boltzmann md-force)
  string(REPLACE - _ entry ${name})
  foreach(version good slow wrong)
    add_library(suites_atoms_${name}_${version} OBJECT ${apps}/${name}/candidates/${version}.cpp)
    target_compile_definitions(suites_atoms_${name}_${version} PRIVATE ${entry}=${entry}_${version})
    target_link_libraries(suites_atoms_${name}_${version} PRIVATE noctune_flags OpenMP::OpenMP_CXX)
    target_link_libraries(suites_atoms_test PRIVATE suites_atoms_${name}_${version})
  endforeach()
endforeach()
