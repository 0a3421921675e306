// helpers.cu - helper_cuda.h and its kin, as NVIDIA's samples have them: checks of calls, a device, options, a timer.
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include "feature.h"

__global__ void scale(double *out, float factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * i;
}

static float option(const char *text) {
  const char *argv[] = {"sample", "--factor=1", text, "-device=0"};
  int whole = 0;
  char *string = nullptr;
  const bool is_there = checkCmdLineFlag(4, argv, "factor") && !checkCmdLineFlag(4, argv, "fact") &&
                        getCmdLineArgumentValue(4, argv, "device=", &whole) && getCmdLineArgumentString(4, argv, "device", &string);
  return is_there && whole == 0 && *string == '0' ? getCmdLineArgumentFloat(4, argv, "factor=") : -1;
}

static void run(double *out, int n) {
  StopWatchInterface *timer = nullptr;
  float *copy, ones[3] = {1, 1, 1}, others[3] = {1, 1, 1.001f};
  sdkCreateTimer(&timer);
  sdkStartTimer(&timer);
  checkCudaErrors(cudaSetDevice(gpuGetMaxGflopsDeviceId()));
  checkCudaErrors(cudaMalloc((void **)&copy, sizeof ones));
  checkCudaErrors(cudaMemcpy(copy, ones, sizeof ones, cudaMemcpyHostToDevice));
  scale<<<2, 16>>>(out, option("-factor=2.5"), n);
  getLastCudaError("scale failed");
  checkCudaErrors(cudaDeviceSynchronize());
  checkCudaErrors(cudaFree(copy));
  sdkStopTimer(&timer);
  const bool good = sdkGetTimerValue(&timer) >= 0 && sdkCompareL2fe(ones, others, 3, 1e-2f) && !sdkCompareL2fe(ones, others, 3, 1e-6f) &&
                    compareData(ones, others, 3, 1e-2f, 0.0f) && !compareData(ones, others, 3, 1e-4f, 0.0f);
  sdkDeleteTimer(&timer);
  if (!good || _ConvertSMVer2Cores(9, 0) != 128 || !checkCudaCapabilities(7, 0)) scale<<<2, 16>>>(out, 0, 24);
}

RIGHT(helpers) { run(out, 24); }
WRONG(helpers) { run(out, 25); }
EXPECTED(helpers) { return 2.5 * i; }
