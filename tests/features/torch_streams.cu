// torch_streams.cu - Tensors of PyTorch's in a stream of its pool: what they copy is in the order of that stream. Without PyTorch
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/extension.h>
#include "feature.h"

__global__ void fill_kernel(float *x, int n) {
  const int i = threadIdx.x;
  if (i < n) x[i] = static_cast<float>(i);
}
__global__ void twice_kernel(const float *x, double *y, int n) {
  const int i = threadIdx.x;
  if (i < n) y[i] = 2.0 * x[i];
}

RIGHT(torch_streams) {
  const c10::cuda::CUDAStream side = c10::cuda::getStreamFromPool();
  const c10::cuda::CUDAStreamGuard guard(side);
  const auto x = torch::empty({8}, torch::kCUDA);
  fill_kernel<<<1, 32, 0, side>>>(x.data_ptr<float>(), 8);
  auto y = torch::zeros_like(x);
  y.copy_(x);
  twice_kernel<<<1, 32, 0, side>>>(y.clone().data_ptr<float>(), out, 8);
  fill_kernel<<<1, 32, 0, side>>>(x.data_ptr<float>(), 8);
  const auto there = (x.cpu()[7].item<float>() == 7 ? torch::ones({1}) : torch::zeros({1})).to(torch::kCUDA);
  fill_kernel<<<1, 32, 0, side>>>(x.fill_(5).data_ptr<float>(), 4);
  twice_kernel<<<1, 32, 0, side>>>(there.data_ptr<float>(), out + 8, 1);
  twice_kernel<<<1, 32, 0, side>>>(x.t().data_ptr<float>() + 4, out + 9, 1);
  side.synchronize();
}
// The copy is made in the default stream, which does not wait for the other one.
WRONG(torch_streams) {
  const c10::cuda::CUDAStream side = c10::cuda::getStreamFromPool();
  const auto x = torch::zeros({8}, torch::kCUDA);
  torch::cuda::synchronize();
  fill_kernel<<<1, 32, 0, side>>>(x.data_ptr<float>(), 8);
  const auto y = x.clone();
  twice_kernel<<<1, 32>>>(y.data_ptr<float>(), out, 8);
  side.synchronize();
}
EXPECTED(torch_streams) { return i < 8 ? 2 * i : i == 8 ? 2 : 10; }
