/* sums.cu - c = a + b in foreign style, by what is rounded when: in float and stored; in the inputs' type (__hadd); FAULT: the inputs, to the output's
 * type, before they are added. */
#include <cuda_fp16.h>

template <class In, class Out> __global__ void in_float(const In *a, const In *b, Out *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FAULT
  if (i < n) c[i] = (Out)((float)(Out)(float)a[i] + (float)(Out)(float)b[i]);
#else
  if (i < n) c[i] = (Out)((float)a[i] + (float)b[i]);
#endif
}

template <class Out> __global__ void in_halves(const __half *a, const __half *b, Out *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = (Out)__half2float(__hadd(a[i], b[i]));
}
