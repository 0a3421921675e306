/* helper_image.h - comparisons of arrays that programs know from NVIDIA's samples. Images are not among them. The text is ours. */
#ifndef SIMT_HELPER_IMAGE_H
#define SIMT_HELPER_IMAGE_H
#include <cmath>

/* Is ||a - b|| at most epsilon * ||a||? */
inline bool sdkCompareL2fe(const float *a, const float *b, const unsigned n, const float epsilon) {
  double error = 0, size = 0;
  for (unsigned i = 0; i < n; i++) {
    const double d = static_cast<double>(a[i]) - b[i];
    error += d * d;
    size += static_cast<double>(a[i]) * a[i];
  }
  return size > 0 && std::sqrt(error) <= epsilon * std::sqrt(size);
}

/* At most `threshold` of the elements, as a part of all, differ by more than epsilon; 0: none. */
template <class T, class S>
inline bool compareData(const T *a, const T *b, const unsigned n, const S epsilon, const float threshold) {
  unsigned wrong = 0;
  for (unsigned i = 0; i < n; i++) {
    const double d = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    wrong += !(d <= static_cast<double>(epsilon) && d >= -static_cast<double>(epsilon));
  }
  return wrong <= static_cast<double>(threshold) * n;
}

#endif
