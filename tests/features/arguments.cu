// arguments.cu - structs as arguments, with arrays and members; __grid_constant__; references to constants.
#include "feature.h"

struct Params {
  double *out;
  int shape[4];
  float scale;
  __host__ __device__ int count() const { return shape[0] * shape[1]; }
};

template <typename T, int N> struct Array {
  T data[N];
  __device__ __forceinline__ const T &operator[](int i) const { return data[i]; }
};

__global__ void right(const Params p, Array<int, 3> a) {
  const int i = threadIdx.x;
  if (i < p.count()) p.out[i] = p.scale * i + a[i % 3];
}
__global__ void constant(const __grid_constant__ Params p) {
  if (threadIdx.x >= p.count()) p.out[threadIdx.x] = p.shape[2];
}
__global__ void fill(double *out) { out[16] = 41; }

// A class that is passed by address where it is an argument itself; here a pointer to one is.
struct Owner {
  double value;
  __host__ __device__ ~Owner() {}
};
typedef Owner *OwnerPointer;
__global__ void pointed(Owner *to, const OwnerPointer from) { to[17].value = from[16].value + 1; }

__global__ void wrong(const Params p, Array<int, 3> a) { p.out[threadIdx.x] = a[threadIdx.x]; }

RIGHT(arguments) {
  Params p = {out, {3, 4, 5, 6}, 2.0f};
  right<<<1, 16>>>(p, {{10, 20, 30}});
  constant<<<1, 16>>>(p);
  fill<<<1, 1>>>(out);
  pointed<<<1, 1>>>((Owner *)out, (Owner *)out);
}
WRONG(arguments) { wrong<<<1, 4>>>(Params{out, {3, 4, 5, 6}, 2.0f}, {{10, 20, 30}}); }
EXPECTED(arguments) { return i >= 16 ? 25 + i : i < 12 ? 2 * i + 10 * (i % 3 + 1) : 5; }
