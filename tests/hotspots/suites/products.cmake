set(polybench hotspots/polybench)
noctune_suite_test(products SOURCES ${polybench}/gemm ${polybench}/2mm ${polybench}/3mm ${polybench}/atax
  ${polybench}/bicg ${polybench}/mvt ${polybench}/gesummv ${polybench}/gemver ${polybench}/syrk ${polybench}/syr2k
  ${polybench}/doitgen)
# The versions in candidates/, as gemm_good and so on.
foreach(name gemm atax syrk)
  foreach(version good slow wrong)
    set(target suites_products_${name}_${version})
    add_library(${target} OBJECT ${PROJECT_SOURCE_DIR}/${polybench}/candidates/${name}/${version}.cpp)
    target_compile_definitions(${target} PRIVATE ${name}=${name}_${version})
    target_link_libraries(${target} PRIVATE noctune_flags OpenMP::OpenMP_CXX)
    target_link_libraries(suites_products_test PRIVATE ${target})
  endforeach()
endforeach()
