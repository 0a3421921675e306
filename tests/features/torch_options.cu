// torch_options.cu - Tensors of PyTorch's by options that leave something open: as another tensor, or as PyTorch takes it. Without PyTorch
#include <torch/extension.h>
#include "feature.h"

template <typename scalar_t> __global__ void count_up(scalar_t *y, int n) {
  const int i = threadIdx.x;
  if (i < n) y[i] += static_cast<scalar_t>(i);
}
template <typename scalar_t> __global__ void store_as_double(double *out, const scalar_t *y, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = static_cast<double>(y[i]);
}

// Of half floats on the device; what is like it stays there, or stays half.
static int like() {
  const auto x = torch::zeros({2, 3}, torch::dtype(torch::kHalf).device(torch::kCUDA));
  int n = 0;
  n += torch::zeros_like(x, torch::kInt).is_cuda() && torch::zeros_like(x, torch::kInt).scalar_type() == torch::kInt;
  n += torch::empty_like(x, torch::kCPU).is_cpu() && torch::empty_like(x, torch::kCPU).scalar_type() == torch::kHalf;
  n += torch::ones_like(x, torch::TensorOptions().requires_grad(true)).is_cuda() && torch::full_like(x, 2, torch::kLong).is_cuda();
  n += torch::rand_like(x, torch::kFloat).is_cuda() && torch::randn_like(x).scalar_type() == torch::kHalf;
  n += x.to(torch::TensorOptions().dtype(torch::kFloat)).is_cuda() && x.to(torch::TensorOptions(torch::kCPU)).scalar_type() == torch::kHalf;
  n += x.to(torch::TensorOptions().requires_grad(false)).is_same(x) && x.options().has_dtype() && !torch::dtype(torch::kInt).has_device();
  return n;
}

static int types() {
  const torch::Tensor all[] = {torch::arange(5),           torch::arange(0, 5, 2),    torch::arange(5.0),        torch::arange(1, 2.5),
                               torch::full({2}, 7),        torch::full({2}, 7.0),     torch::full({2}, true),    torch::zeros({2}),
                               torch::ones({2}),           torch::tensor({1, 2}),     torch::tensor({1.5, 2.0}), torch::tensor({1.5f, 2.0f}),
                               torch::tensor({true}),      torch::tensor(3),          torch::tensor(2.5),        torch::tensor(std::vector<int>{1, 2}),
                               torch::tensor({{1}, {2}}),  torch::tensor({1, 2}, torch::kInt)};
  const torch::ScalarType expected[] = {torch::kLong,  torch::kLong,  torch::kFloat, torch::kFloat, torch::kLong,  torch::kFloat,
                                        torch::kBool,  torch::kFloat, torch::kFloat, torch::kLong,  torch::kFloat, torch::kFloat,
                                        torch::kBool,  torch::kLong,  torch::kFloat, torch::kLong,  torch::kLong,  torch::kInt};
  int n = 0;
  for (int i = 0; i < 18; i++) n += all[i].scalar_type() == expected[i];
  n += all[1].numel() == 3 && all[3].numel() == 2 && all[13].dim() == 0 && all[16].size(0) == 2 && all[16].size(1) == 1;
  return n + (at::tensor<double>({1.5}).scalar_type() == torch::kDouble);
}

static void run(double *out, int beyond) {
  const auto x = torch::full({8}, 0.5, torch::kCUDA);
  const auto counts = torch::full_like(x, 3, torch::kLong);
  count_up<<<1, 32>>>(counts.data_ptr<int64_t>(), 8 + beyond);
  store_as_double<<<1, 32>>>(out, counts.data_ptr<int64_t>(), 8);
}

RIGHT(torch_options) {
  run(out, 0);
  const auto ends = torch::tensor({like(), types()}).to(torch::kCUDA);
  store_as_double<<<1, 32>>>(out + 8, ends.data_ptr<int64_t>(), 2);
}
WRONG(torch_options) { run(out, 1); }
EXPECTED(torch_options) { return i < 8 ? 3 + i : i == 8 ? 6 : 20; }
