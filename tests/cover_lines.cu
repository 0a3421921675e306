// cover_lines.cu - lines that are reached always, with n above 0, with n above 4, or never. Run by test_cover.c, which reads the marks.

__device__ float doubled(float v) {
  return v + v;                                // n > 0
}

__global__ void cover_kernel(float *x, int n) {
  int i = threadIdx.x;                         // always
  if (n < 0) {
    x[i] = 1;                                  // never
    return;
  }
  for (int k = 0; k < n; k++) {
    x[i] += doubled(x[i]);                     // n > 0
  }
  if (n > 4)
    x[i] += 3;                                 // n > 4
  else
    x[i] -= 3;                                 // n <= 4
  __syncwarp();                                // always
  if (x[i] != x[i] && i == 77) x[0] = x[1];    // always
  switch (n) {
  case 2: x[i] *= 5; break;                    // n == 2
  case 100: x[i] *= 7; break;                  // n == 100
  default: x[i] *= 9; break;
  }
  x[i] = sqrtf(x[i]);                          // always
}

extern "C" void cover_run(float *x, int n) {
  cover_kernel<<<1, 32>>>(x, n);               // always
}
