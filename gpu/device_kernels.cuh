/* device_kernels.cuh - what device_cuda.cu runs on the device besides the variants. Indices have 64 bits: tensors may. */
#ifndef WF_DEVICE_KERNELS_CUH
#define WF_DEVICE_KERNELS_CUH
#include "../fuzz/value.h"
extern "C" {
#include "device.h"
}

static __device__ uint64_t first_index() { return uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; }
static __device__ uint64_t index_step() { return uint64_t(gridDim.x) * blockDim.x; }

template <class Unit> static __global__ void fill_kernel(Unit *to, uint64_t n, Unit pattern) {
  for (uint64_t i = first_index(); i < n; i += index_step())
    to[i] = pattern;
}

/* ---- values ---- */

struct Edit {
  WfSel sel[2];
  float value;
};

/* What a tensor's values follow from, as a parameter of a kernel. */
template <int Edits> struct Values {
  WfFill fill;
  int64_t n, cols;
  uint32_t tensor;
  WfDtype type;
  int is_rank2, n_edits;
  Edit edit[Edits]; /* of this tensor, in the order of the case */
};
static_assert(sizeof(Values<WF_MAX_EDITS>) <= 4096 - sizeof(void *), "parameters of a kernel have 4 KiB");

template <int Edits> static __global__ void values_kernel(const __grid_constant__ Values<Edits> v, void *to) {
  for (uint64_t i = first_index(); i < uint64_t(v.n); i += index_step()) {
    uint64_t row = i / uint64_t(v.cols), col = i % uint64_t(v.cols);
    float value = wf_value_drawn(&v.fill, v.type, v.tensor, i, col);
    for (int k = v.n_edits; k-- > 0;) /* the last one wins */
      if (wf_edit_selects(v.edit[k].sel, v.is_rank2, int64_t(row), int64_t(col))) {
        value = wf_value_edited(v.type, v.edit[k].value);
        break;
      }
    if (v.type == WF_F32)
      static_cast<float *>(to)[i] = value;
    else
      static_cast<uint16_t *>(to)[i] = wf_dtype_encode(v.type, value);
  }
}

/* ---- comparisons ---- */

struct Comparison { /* one under way; comparisons follow each other in the stream */
  unsigned long long n, first;
  unsigned blocks_done;
};

static __device__ void begin_comparison(Comparison *c) {
  c->n = 0;
  c->first = ~0ull;
  c->blocks_done = 0;
}

static __global__ void begin_kernel(Comparison *c) { begin_comparison(c); }

template <class Unit> static __device__ void end_comparison(Comparison *c, const Unit *at, const Unit *was, Unit pattern, WfDeviceDamage *out) {
  __threadfence(); /* what the other blocks have added comes before their being done */
  WfDeviceDamage d = {atomicAdd(&c->n, 0), atomicAdd(&c->first, 0), 0, 0};
  if (d.n_words != 0) {
    d.now = at[d.first];
    d.was = was ? was[d.first] : pattern;
  }
  *out = d;
  begin_comparison(c);
}

template <class Unit>
static __global__ void compare_kernel(const Unit *at, const Unit *was, Unit pattern, uint64_t n_units, Comparison *c, WfDeviceDamage *out) {
  unsigned long long n = 0, first = 0;
  for (uint64_t i = first_index(); i < n_units; i += index_step())
    if (at[i] != (was ? was[i] : pattern) && n++ == 0)
      first = i;
  if (n != 0) {
    atomicAdd(&c->n, n);
    atomicMin(&c->first, first);
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0 && atomicAdd(&c->blocks_done, 1) == gridDim.x - 1)
    end_comparison(c, at, was, pattern, out);
}

/* ---- disturbances ---- */

/* Leaves NaNs in shared memory: whoever comes next and reads what it did not write has them. */
static __global__ void soil_kernel(unsigned n_words) {
  extern __shared__ uint32_t soiled[];
  for (unsigned i = threadIdx.x; i < n_words; i += blockDim.x)
    *const_cast<volatile uint32_t *>(soiled + i) = 0x7fc0beefu;
}

static __global__ void load_kernel(long long clocks) {
  for (long long begin = clock64(); clock64() - begin < clocks;) {
  }
}

#endif
