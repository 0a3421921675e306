// torch_extension.cu - a PyTorch extension: tensors as arguments, dispatch by type, packed accessors, checks, bindings. Without PyTorch.
#include <torch/types.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>
#include "feature.h"

#define CHECK_CUDA(x) TORCH_CHECK(x.device().is_cuda(), #x " must be a CUDA tensor")
#define CHECK_CONTIGUOUS(x) TORCH_CHECK(x.is_contiguous(), #x " must be contiguous")
#define CHECK_INPUT(x) CHECK_CUDA(x); CHECK_CONTIGUOUS(x)

template <typename scalar_t>
__global__ void gate_kernel(const torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> x,
                            const torch::PackedTensorAccessor32<scalar_t, 1, torch::RestrictPtrTraits> bias,
                            torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> y, int beyond) {
  using acc_t = at::acc_type<scalar_t, true>;
  const int row = blockIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= x.size(1) + beyond) return;
  const acc_t sum = static_cast<acc_t>(x[row][col]) + static_cast<acc_t>(bias[col]);
  y[row][col] = static_cast<scalar_t>(sum > 0 ? sum : acc_t(0));
}

torch::Tensor gate_cuda(torch::Tensor x, torch::Tensor bias, int beyond) {
  CHECK_INPUT(x);
  CHECK_INPUT(bias);
  const at::cuda::OptionalCUDAGuard guard(device_of(x));
  auto y = torch::empty_like(x);
  const dim3 blocks((x.size(1) + 31) / 32, x.size(0));
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(at::ScalarType::Half, at::ScalarType::BFloat16, x.scalar_type(), "gate_cuda", ([&] {
    gate_kernel<scalar_t><<<blocks, 32, 0, stream>>>(x.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
                                                     bias.packed_accessor32<scalar_t, 1, torch::RestrictPtrTraits>(),
                                                     y.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(), beyond);
  }));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

template <typename scalar_t> __global__ void store_kernel(double *out, const scalar_t *__restrict__ y, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = static_cast<float>(y[i] > scalar_t(0) ? y[i] * scalar_t(2) : scalar_t(0));
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("gate", &gate_cuda, "max(x + bias, 0)", py::arg("x"), py::arg("bias"), py::arg("beyond") = 0);
}
TORCH_LIBRARY_IMPL(gates, CUDA, m) { m.impl("gate", &gate_cuda); }

static void run(double *out, torch::ScalarType type, int beyond) {
  const auto options = torch::TensorOptions().dtype(type).device(torch::kCUDA);
  const auto x = torch::arange(6, torch::TensorOptions().dtype(type)).view({2, 3}).cuda(), bias = torch::full({3}, -1.5, options);
  const auto y = gate_cuda(x.t().contiguous().t().contiguous(), bias, beyond);
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(y.type(), "store", [&] { store_kernel<scalar_t><<<1, 32>>>(out, y.data_ptr<scalar_t>(), y.numel()); });
}

static int refused() {
  int n = 0;
  try {
    gate_cuda(torch::zeros({2, 3}), torch::zeros({3}), 0);
  } catch (const c10::Error &e) {
    n += strstr(e.what(), "x must be a CUDA tensor") != nullptr;
  }
  try {
    gate_cuda(torch::zeros({2, 3}, torch::kCUDA).t(), torch::zeros({3}, torch::kCUDA), 0);
  } catch (const std::exception &e) {
    n += strstr(e.what(), "x must be contiguous") != nullptr;
  }
  return n;
}

RIGHT(torch_extension) {
  run(out, torch::kFloat32, 0);
  run(out + 6, torch::kHalf, 0);
  const auto ends = torch::tensor({(double)refused(), torch::zeros({2, 3, 4}).permute({2, 0, 1}).stride(0) + 0.5}, torch::kDouble).to(torch::kCUDA);
  store_kernel<<<1, 32>>>(out + 12, ends.data_ptr<double>(), 2);
}
WRONG(torch_extension) { run(out, torch::kFloat32, 1); }
EXPECTED(torch_extension) { return i >= 12 ? (i == 12 ? 4 : 3) : i % 6 < 2 ? 0 : 2 * (i % 6 - 1.5); }
