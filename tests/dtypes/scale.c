void scale(const float *x, double *y, long n, double factor) {
  for (long i = 0; i < n; i++) y[i] = (float)factor * (double)x[i];
}
