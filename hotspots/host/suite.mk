# The host programs of a suite: make [NAME...] BACKEND=openmp|cuda|hip [ARCH=...]. Each is made of app/NAME.cpp, the
# hotspot's source beside app/ as it is, and what all share in hotspots/host; it lies in build/BACKEND/NAME.
BACKEND ?= openmp
HOST := $(dir $(lastword $(MAKEFILE_LIST)))
NAMES := $(basename $(wildcard *.cpp))
OUT := build/$(BACKEND)

ifeq ($(BACKEND),openmp)
  CXX ?= g++
  COMPILE = $(CXX) -std=c++17 -O3 -march=native -fopenmp
  SUFFIX := cpp
else ifeq ($(BACKEND),cuda)
  NVCC ?= nvcc
  ARCH ?= native
  COMPILE = $(NVCC) -std=c++17 -O3 -arch=$(ARCH) -DHOST_CUDA
  LANGUAGE := -x cu
  SUFFIX := cu
else ifeq ($(BACKEND),hip)
  HIPCC ?= hipcc
  ARCH ?= gfx906
  COMPILE = $(HIPCC) -std=c++17 -O3 --offload-arch=$(ARCH) -DHOST_HIP
  LANGUAGE := -x hip
  SUFFIX := cu
else
  $(error BACKEND is $(BACKEND), but must be openmp, cuda or hip)
endif

all: $(NAMES)
$(NAMES): %: $(OUT)/%

$(OUT)/%: $(OUT)/%.hotspot.o $(OUT)/%.app.o $(OUT)/program.o
	$(COMPILE) $^ -o $@
$(OUT)/%.hotspot.o: ../%.$(SUFFIX) $(HOST)stream.hpp | $(OUT)
	$(COMPILE) $(LANGUAGE) -include $(HOST)stream.hpp -c $< -o $@
$(OUT)/%.app.o: %.cpp $(HOST)device.hpp $(HOST)program.hpp | $(OUT)
	$(COMPILE) $(LANGUAGE) -I$(HOST) -c $< -o $@
$(OUT)/program.o: $(HOST)program.cpp $(HOST)program.hpp | $(OUT)
	$(COMPILE) $(LANGUAGE) -c $< -o $@
$(OUT):
	mkdir -p $@
clean:
	rm -rf build

.PHONY: all clean $(NAMES)
.SECONDARY:
