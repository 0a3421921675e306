// nbody_main.cpp - the host's part, for the host's compiler.
#include "nbody.h"
#include <algorithm>
#include <cmath>
#include <cuda_runtime_api.h>
#include <iostream>
#include <vector>

namespace {

void must(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::cerr << cudaGetErrorName(error) << ": " << cudaGetErrorString(error) << '\n';
  std::exit(3);
}

struct Body {
  float x, y, z, w;
};

void stepOnHost(std::vector<Body> &p, std::vector<Body> &v, float dt) {
  std::vector<Body> next = p;
  for (size_t i = 0; i < p.size(); i++) {
    double a[3] = {0, 0, 0};
    for (const Body &b : p) {
      const double r[3] = {b.x - p[i].x, b.y - p[i].y, b.z - p[i].z};
      const double d2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + 0.01;
      for (int k = 0; k < 3; k++) a[k] += r[k] * b.w / (d2 * std::sqrt(d2));
    }
    v[i].x += float(a[0] * dt);
    v[i].y += float(a[1] * dt);
    v[i].z += float(a[2] * dt);
    next[i] = {p[i].x + v[i].x * dt, p[i].y + v[i].y * dt, p[i].z + v[i].z * dt, p[i].w};
  }
  p = next;
}

} // namespace

int main() {
  const int n = 151, steps = 3;
  const float dt = 0.01f;
  std::vector<Body> p(n), v(n, Body{0, 0, 0, 0});
  for (int i = 0; i < n; i++) p[i] = {std::sin(i * 1.3f), std::cos(i * 0.7f), std::sin(i * 0.31f), 1.0f / n};
  float4 *now, *next, *speed;
  const size_t bytes = n * sizeof(Body);
  must(cudaMalloc(reinterpret_cast<void **>(&now), bytes));
  must(cudaMalloc(reinterpret_cast<void **>(&next), bytes));
  must(cudaMalloc(reinterpret_cast<void **>(&speed), bytes));
  must(cudaMemcpy(now, p.data(), bytes, cudaMemcpyHostToDevice));
  must(cudaMemcpy(speed, v.data(), bytes, cudaMemcpyHostToDevice));
  for (int s = 0; s < steps; s++) {
    nbodyStep(now, next, speed, n, dt);
    must(cudaGetLastError());
    std::swap(now, next);
    stepOnHost(p, v, dt);
  }
  std::vector<Body> got(n);
  must(cudaMemcpy(got.data(), now, bytes, cudaMemcpyDeviceToHost));
  float worst = 0;
  for (int i = 0; i < n; i++) worst = std::max({worst, std::fabs(got[i].x - p[i].x), std::fabs(got[i].y - p[i].y), std::fabs(got[i].z - p[i].z)});
  must(cudaFree(now));
  must(cudaFree(next));
  must(cudaFree(speed));
  const bool ok = worst < 1e-4f;
  std::cout << (ok ? "PASS" : "FAIL") << '\n';
  return ok ? 0 : 1;
}
