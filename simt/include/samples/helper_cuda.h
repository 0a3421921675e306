/* helper_cuda.h - the names that programs know from NVIDIA's samples: checks of calls, and the choice of a device. The text is ours; a file of this
 * name beside the user's source, or in a directory of -I, is taken instead. */
#ifndef SIMT_HELPER_CUDA_H
#define SIMT_HELPER_CUDA_H
#include "helper_string.h"
#include <cuda_runtime.h>

#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif

inline const char *_cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }

/* Of a library whose header may come later: by the name that it has for its status. */
template <class T> inline const char *_cudaGetErrorEnum(T error);
#ifdef CUBLAS_API_H_
inline const char *_cudaGetErrorEnum(cublasStatus_t error) { return cublasGetStatusName(error); }
#endif
template <class T> inline const char *_cudaGetErrorEnum(T) { return "<unknown>"; }

template <class T> void check(T result, const char *call, const char *file, int line) {
  if (!result) return;
  fprintf(stderr, "CUDA error at %s:%d code=%u(%s) \"%s\"\n", file, line, static_cast<unsigned>(result), _cudaGetErrorEnum(result), call);
  exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)

/* Of a launch, since none of these names the error. */
inline bool simt_tell_last_error(const char *message, const char *file, int line) {
  const cudaError_t e = cudaGetLastError();
  if (e != cudaSuccess)
    fprintf(stderr, "%s(%d): CUDA error: %s: (%d) %s\n", file, line, message, static_cast<int>(e), cudaGetErrorString(e));
  return e != cudaSuccess;
}
inline void __getLastCudaError(const char *message, const char *file, int line) {
  if (simt_tell_last_error(message, file, line)) exit(EXIT_FAILURE);
}
inline void __printLastCudaError(const char *message, const char *file, int line) { simt_tell_last_error(message, file, line); }
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)
#define printLastCudaError(message) __printLastCudaError(message, __FILE__, __LINE__)

inline int ftoi(float value) { return static_cast<int>(value >= 0 ? value + 0.5f : value - 0.5f); }

/* Float units of a multiprocessor (CUDA C++ Programming Guide, Compute Capabilities). */
inline int _ConvertSMVer2Cores(int major, int minor) {
  switch (major) {
  case 3: return 192;
  case 5: return 128;
  case 6: return minor == 0 ? 64 : 128;
  case 7: return 64;
  case 8: return minor == 0 ? 64 : 128;
  }
  return 128;
}

inline const char *_ConvertSMVer2ArchName(int major, int minor) {
  switch (major) {
  case 3: return "Kepler";
  case 5: return "Maxwell";
  case 6: return "Pascal";
  case 7: return minor == 5 ? "Turing" : "Volta";
  case 8: return minor == 9 ? "Ada" : "Ampere";
  case 9: return "Hopper";
  case 10:
  case 12: return "Blackwell";
  }
  return "Graphics Device";
}

namespace simt {
inline int sample_attribute(cudaDeviceAttr attribute, int device) {
  int value = 0;
  checkCudaErrors(cudaDeviceGetAttribute(&value, attribute, device));
  return value;
}
inline int sample_devices() {
  int n = 0;
  checkCudaErrors(cudaGetDeviceCount(&n));
  return n;
}
} // namespace simt

/* What is negative counts as 0; for a number that no device has, its negative. */
inline int gpuDeviceInit(int device) {
  const int n = simt::sample_devices();
  if (n == 0) {
    fprintf(stderr, "gpuDeviceInit(): no device supports CUDA\n");
    exit(EXIT_FAILURE);
  }
  if (device < 0) device = 0;
  if (device >= n) {
    fprintf(stderr, "gpuDeviceInit(): there is no device %d\n", device);
    return -device;
  }
  checkCudaErrors(cudaSetDevice(device));
  return device;
}

inline int gpuGetMaxGflopsDeviceId() {
  int best = 0;
  double most = -1;
  for (int i = 0; i < simt::sample_devices(); i++) {
    const double cores = _ConvertSMVer2Cores(simt::sample_attribute(cudaDevAttrComputeCapabilityMajor, i),
                                             simt::sample_attribute(cudaDevAttrComputeCapabilityMinor, i));
    const double speed = cores * simt::sample_attribute(cudaDevAttrMultiProcessorCount, i) * simt::sample_attribute(cudaDevAttrClockRate, i);
    if (speed > most) best = i;
    if (speed > most) most = speed;
  }
  return best;
}

inline int findCudaDevice(int argc, const char **argv) {
  if (checkCmdLineFlag(argc, argv, "device")) {
    const int asked = gpuDeviceInit(getCmdLineArgumentInt(argc, argv, "device"));
    if (asked >= 0) return asked;
    printf("exiting...\n");
    exit(EXIT_FAILURE);
  }
  const int device = gpuGetMaxGflopsDeviceId();
  const int major = simt::sample_attribute(cudaDevAttrComputeCapabilityMajor, device);
  const int minor = simt::sample_attribute(cudaDevAttrComputeCapabilityMinor, device);
  checkCudaErrors(cudaSetDevice(device));
  printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, _ConvertSMVer2ArchName(major, minor), major, minor);
  return device;
}

/* -1: there is none. */
inline int findIntegratedGPU() {
  for (int i = 0; i < simt::sample_devices(); i++) {
    if (!simt::sample_attribute(cudaDevAttrIntegrated, i)) continue;
    checkCudaErrors(cudaSetDevice(i));
    return i;
  }
  return -1;
}

/* Of the current device. */
inline bool checkCudaCapabilities(int major, int minor) {
  int device = 0;
  checkCudaErrors(cudaGetDevice(&device));
  const int its_major = simt::sample_attribute(cudaDevAttrComputeCapabilityMajor, device);
  const int its_minor = simt::sample_attribute(cudaDevAttrComputeCapabilityMinor, device);
  return its_major > major || (its_major == major && its_minor >= minor);
}

#endif
