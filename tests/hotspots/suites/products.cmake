noctune_suite_test(products SOURCES hotspots/polybench/gemm)
