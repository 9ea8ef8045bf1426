# The mini-application of a hotspot: make BACKEND=openmp|cuda|hip [ARCH=...] in hotspots/apps/NAME/app gives
# build/BACKEND/NAME. It is made of kernels.cpp (OpenMP) or kernels.cu (GPUs), in which the hotspot stands among other
# kernels, of all other .cpp files beside it, which every backend shares, and of hotspots/host. No file of the isolated
# hotspot takes part.
BACKEND ?= openmp
HOST := $(dir $(lastword $(MAKEFILE_LIST)))../host/
NAME := $(notdir $(abspath $(CURDIR)/..))
OUT := build/$(BACKEND)

ifeq ($(BACKEND),openmp)
  CXX ?= g++
  COMPILE = $(CXX) -std=c++17 -O3 -march=native -fopenmp
  KERNELS := kernels.cpp
else ifeq ($(BACKEND),cuda)
  NVCC ?= nvcc
  ARCH ?= native
  COMPILE = $(NVCC) -std=c++17 -O3 -arch=$(ARCH) -DHOST_CUDA
  LANGUAGE := -x cu
  KERNELS := kernels.cu
else ifeq ($(BACKEND),hip)
  HIPCC ?= hipcc
  ARCH ?= gfx906
  COMPILE = $(HIPCC) -std=c++17 -O3 --offload-arch=$(ARCH) -DHOST_HIP
  LANGUAGE := -x hip
  KERNELS := kernels.cu
else
  $(error BACKEND is $(BACKEND), but must be openmp, cuda or hip)
endif

HEADERS := $(wildcard *.hpp) $(wildcard $(HOST)*.hpp)
OBJECTS := $(OUT)/kernels.o $(OUT)/program.o $(patsubst %.cpp,$(OUT)/%.o,$(filter-out kernels.cpp,$(wildcard *.cpp)))

all: $(NAME)
$(NAME): $(OUT)/$(NAME)

$(OUT)/$(NAME): $(OBJECTS)
	$(COMPILE) $^ -o $@
$(OUT)/kernels.o: $(KERNELS) $(HEADERS) | $(OUT)
	$(COMPILE) $(LANGUAGE) -I$(HOST) -c $< -o $@
$(OUT)/program.o: $(HOST)program.cpp $(HEADERS) | $(OUT)
	$(COMPILE) $(LANGUAGE) -I$(HOST) -c $< -o $@
$(OUT)/%.o: %.cpp $(HEADERS) | $(OUT)
	$(COMPILE) $(LANGUAGE) -I$(HOST) -c $< -o $@
$(OUT):
	mkdir -p $@
clean:
	rm -rf build

.PHONY: all clean $(NAME)
