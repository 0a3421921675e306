// faults.cu - host code that misuses memory (faults.def), and the right way to do the same. on_line() notes where a finding is to be.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cstdlib>
#include <cstring>

extern "C" void on_line(int line); // the next finding of the host's belongs there
#define HERE on_line(__LINE__)

__global__ void store(float *p, int i) { p[i] = 1; }
__global__ void one(float *p) {
  if (threadIdx.x == 0) p[0] = 1;
}
__global__ void load(const float *p, float *out) { out[threadIdx.x] = p[threadIdx.x]; }
__global__ void branch(const float *p, float *out) {
  if (p[0] > 1000) out[1] = 3;
  out[1] = 3;
}
__global__ void through_shared(float *out, int n) {
  __shared__ float all[64];
  if (threadIdx.x < n) all[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = all[threadIdx.x];
}

__constant__ float weight[4];
static float host_table[32];
__global__ void use_constants(float *out) { out[threadIdx.x] = weight[threadIdx.x]; }

static float *device_floats(int n = 100) {
  float *p;
  cudaMalloc(&p, n * sizeof *p);
  return p;
}

static float *zero_floats(int n = 100) {
  float *p = device_floats(n);
  cudaMemset(p, 0, n * sizeof *p);
  return p;
}

#define PAIR(name) \
  extern "C" void fault_##name() { name(true); } \
  extern "C" void right_##name() { name(false); }

static void leak(bool faulty) {
  float *p[2];
  for (int i = 0; i < 2; i++) {
    HERE; cudaMalloc(&p[i], 400);
  }
  for (int i = 0; i < 2; i++)
    if (!faulty) cudaFree(p[i]);
}
PAIR(leak)

static void double_free(bool faulty) {
  float *p = device_floats();
  cudaFree(p);
  HERE; cudaFree(faulty ? p : nullptr);
}
PAIR(double_free)

static void free_inside(bool faulty) {
  float *p = device_floats();
  HERE; cudaFree(faulty ? p + 1 : p);
  if (faulty) cudaFree(p);
}
PAIR(free_inside)

static void free_host(bool faulty) {
  void *p = malloc(4);
  HERE; cudaFree(faulty ? p : nullptr);
  free(p);
}
PAIR(free_host)

static void free_pinned(bool faulty) {
  float *p;
  cudaMallocHost(&p, 400);
  HERE; faulty ? cudaFree(p) : cudaFreeHost(p);
  if (faulty) cudaFreeHost(p);
}
PAIR(free_pinned)

static void kernel_after_free(bool faulty) {
  float *p = device_floats();
  if (faulty) cudaFree(p);
  store<<<1, 1>>>(p, 3);
  if (!faulty) cudaFree(p);
}
PAIR(kernel_after_free)

static void copy_after_free(bool faulty) {
  float *p = zero_floats(), host[100];
  if (faulty) cudaFree(p);
  HERE; cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
  if (!faulty) cudaFree(p);
}
PAIR(copy_after_free)

static void copy_past_end(bool faulty) {
  float *p = device_floats(), host[101] = {};
  HERE; cudaMemcpy(p, host, faulty ? 404 : 400, cudaMemcpyHostToDevice);
  cudaFree(p);
}
PAIR(copy_past_end)

static void copy_past_source(bool faulty) {
  float *p = zero_floats(), *q = zero_floats();
  HERE; cudaMemcpy(q, p + 99, faulty ? 8 : 4, cudaMemcpyDeviceToDevice);
  cudaFree(p);
  cudaFree(q);
}
PAIR(copy_past_source)

static void copy_past_pinned(bool faulty) {
  float *p = zero_floats(), *pinned;
  cudaMallocHost(&pinned, faulty ? 399 : 400);
  HERE; cudaMemcpyAsync(pinned, p, 400, cudaMemcpyDeviceToHost);
  cudaFreeHost(pinned);
  cudaFree(p);
}
PAIR(copy_past_pinned)

static void rows_past_end(bool faulty) {
  float *p, host[10][10] = {};
  size_t pitch;
  cudaMallocPitch(&p, &pitch, 40, 10);
  HERE; cudaMemcpy2D(p, faulty ? pitch + 512 : pitch, host, 40, 40, 10, cudaMemcpyHostToDevice);
  cudaFree(p);
}
PAIR(rows_past_end)

static void wrong_direction(bool faulty) {
  float *p = zero_floats(), host[100];
  HERE; cudaMemcpy(host, p, 400, faulty ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
  cudaFree(p);
}
PAIR(wrong_direction)

static void wrong_kind(bool faulty) {
  float *p = zero_floats(), *q = zero_floats();
  HERE; cudaMemcpy(q, p, 400, faulty ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice);
  cudaFree(p);
  cudaFree(q);
}
PAIR(wrong_kind)

static void null_copy(bool faulty) {
  float *p = device_floats(), host[100] = {};
  HERE; cudaMemcpy(p, faulty ? nullptr : host, 400, cudaMemcpyHostToDevice);
  cudaFree(p);
}
PAIR(null_copy)

static void symbol_past_end(bool faulty) {
  float host[5] = {}, *p = device_floats();
  HERE; cudaMemcpyToSymbol(weight, host, faulty ? 20 : 16);
  use_constants<<<1, 4>>>(p);
  cudaFree(p);
}
PAIR(symbol_past_end)

static void set_past_end(bool faulty) {
  float *p = device_floats();
  HERE; cudaMemset(p, 0, faulty ? 401 : 400);
  cudaFree(p);
}
PAIR(set_past_end)

// ---- cuBLAS: what it is given ----

struct Blas {
  cublasHandle_t h;
  float *a = zero_floats(), *b = zero_floats(), *c = device_floats();
  cudaStream_t stream, other;
  Blas() {
    cublasCreate(&h);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cublasSetStream(h, stream);
    cudaDeviceSynchronize();
  }
  ~Blas() {
    cublasDestroy(h);
    cudaStreamDestroy(stream);
    cudaStreamDestroy(other);
    cudaFree(a), cudaFree(b), cudaFree(c);
  }
};
static const float blas_one = 1, blas_zero = 0;

static void blas_past_end(bool faulty) { // 100 floats; the last column ends at 4 + 8 * 12
  Blas m;
  HERE; cublasSgemm(m.h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, faulty ? 14 : 13, &blas_one, m.a, 8, m.b, 14, &blas_zero, m.c, 4);
}
PAIR(blas_past_end)

static void blas_result_past_end(bool faulty) {
  Blas m;
  HERE; cublasSgemm(m.h, CUBLAS_OP_N, CUBLAS_OP_N, 10, 10, 10, &blas_one, m.a, 10, m.b, 10, &blas_zero, m.c, faulty ? 11 : 10);
}
PAIR(blas_result_past_end)

__managed__ float blas_table[32];
static void blas_host_vector(bool faulty) { // a managed variable is for both
  Blas m;
  HERE; cublasSaxpy(m.h, 32, &blas_one, faulty ? host_table : blas_table, 1, m.b, 1);
}
PAIR(blas_host_vector)

static void blas_freed(bool faulty) {
  Blas m;
  float *x = zero_floats();
  cudaDeviceSynchronize();
  if (faulty) cudaFree(x);
  HERE; cublasSscal(m.h, 100, &blas_one, x, 1);
  if (!faulty) cudaFree(x);
}
PAIR(blas_freed)

static void blas_unwritten(bool faulty) { // a c that is multiplied by 0 need not hold anything
  Blas m;
  HERE; cublasSgemm(m.h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &blas_one, m.a, 4, m.b, 4, faulty ? &blas_one : &blas_zero, m.c, 4);
}
PAIR(blas_unwritten)

static void blas_unwritten_padding(bool faulty) { // rows 4 to 7 of each column are nobody's
  Blas m;
  float *x = device_floats();
  cublasSetMatrix(4, 4, sizeof *x, host_table, 4, x, 8);
  HERE; cublasSgemm(m.h, CUBLAS_OP_N, CUBLAS_OP_N, faulty ? 5 : 4, 4, 4, &blas_one, x, 8, m.b, 4, &blas_zero, m.c, 8);
  cudaFree(x);
}
PAIR(blas_unwritten_padding)

static void blas_upper_triangle(bool faulty) { // of a lower one nothing above the diagonal is read
  Blas m;
  float *x = device_floats(4);
  const float all[4] = {1, 2, 0, 3};
  cudaMemcpy(x, all, 8, cudaMemcpyHostToDevice);
  cudaMemcpy(x + 3, all + 3, 4, cudaMemcpyHostToDevice);
  HERE; cublasStrsm(m.h, CUBLAS_SIDE_LEFT, faulty ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2, 1,
                    &blas_one, x, 2, m.b, 2);
  cudaFree(x);
}
PAIR(blas_upper_triangle)

static void blas_scalar_on_device(bool faulty) {
  Blas m;
  if (!faulty) cublasSetPointerMode(m.h, CUBLAS_POINTER_MODE_DEVICE);
  HERE; cublasSscal(m.h, 10, m.b, m.a, 1);
}
PAIR(blas_scalar_on_device)

static void blas_scalar_on_host(bool faulty) {
  Blas m;
  if (faulty) cublasSetPointerMode(m.h, CUBLAS_POINTER_MODE_DEVICE);
  HERE; cublasSscal(m.h, 10, host_table, m.a, 1);
}
PAIR(blas_scalar_on_host)

static void blas_beside_kernel(bool faulty) { // column 4 of a 4 x 4 is not read
  Blas m;
  cublasSgemm(m.h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &blas_one, m.a, 8, m.b, 4, &blas_zero, m.c, 4);
  HERE; store<<<1, 1, 0, m.other>>>(m.a, faulty ? 27 : 28);
  cudaDeviceSynchronize();
}
PAIR(blas_beside_kernel)

static void blas_behind_kernel(bool faulty) {
  Blas m;
  cudaEvent_t done;
  cudaEventCreate(&done);
  store<<<1, 1, 0, m.other>>>(m.b, 3);
  cudaEventRecord(done, m.other);
  if (!faulty) cudaStreamWaitEvent(m.stream, done);
  HERE; cublasSgemv(m.h, CUBLAS_OP_N, 4, 4, &blas_one, m.a, 4, m.b, 1, &blas_zero, m.c, 1);
  cudaDeviceSynchronize();
  cudaEventDestroy(done);
}
PAIR(blas_behind_kernel)

static void blas_result_waits(bool faulty) { // a number that the host gets has been waited for, one on the device not
  Blas m;
  float *pinned;
  cudaMallocHost(&pinned, sizeof *pinned);
  if (faulty) cublasSetPointerMode(m.h, CUBLAS_POINTER_MODE_DEVICE);
  cublasSasum(m.h, 10, m.a, 1, pinned);
  HERE; if (*pinned > 0) cudaDeviceSynchronize();
  cudaDeviceSynchronize();
  cudaFreeHost(pinned);
}
PAIR(blas_result_waits)

__managed__ float blas_alpha;
__global__ void set_alpha(float to) { blas_alpha = to; }
static void blas_scalar_early(bool faulty) { // which a kernel is about to write, in a stream that nobody has waited for
  Blas m;
  set_alpha<<<1, 1, 0, m.stream>>>(3);
  if (!faulty) cudaStreamSynchronize(m.stream);
  HERE; cublasSscal(m.h, 10, &blas_alpha, m.a, 1);
  cudaDeviceSynchronize();
}
PAIR(blas_scalar_early)

static void blas_result_early(bool faulty) { // the handle's stream has been waited for, the other one not
  Blas m;
  set_alpha<<<1, 1, 0, m.other>>>(3);
  if (!faulty) cudaStreamSynchronize(m.other);
  HERE; cublasSasum(m.h, 10, m.a, 1, &blas_alpha);
  cudaDeviceSynchronize();
}
PAIR(blas_result_early)

static void blas_scalar_nowhere(bool faulty) {
  Blas m;
  HERE; cublasSscal(m.h, 10, faulty ? reinterpret_cast<const float *>(16) : &blas_one, m.a, 1);
}
PAIR(blas_scalar_nowhere)

static void blas_destroyed(bool faulty) {
  Blas m;
  cublasHandle_t h;
  cublasCreate(&h);
  if (faulty) cublasDestroy(h);
  HERE; cublasSscal(h, 10, &blas_one, m.a, 1);
  if (!faulty) cublasDestroy(h);
}
PAIR(blas_destroyed)

static void blas_destroyed_twice(bool faulty) {
  cublasHandle_t h, other;
  cublasCreate(&h);
  cublasCreate(&other); // where the first one was, for all that cuBLAS says
  cublasDestroy(h);
  HERE; cublasDestroy(faulty ? h : other);
  if (faulty) cublasDestroy(other);
}
PAIR(blas_destroyed_twice)

static void host_reads(bool faulty) {
  float *p = zero_floats(), host[4] = {};
  const float *from = faulty ? p : host;
  HERE; if (from[3] > 1) abort();
  cudaFree(p);
}
PAIR(host_reads)

static void host_writes(bool faulty) {
  float *p = device_floats(), host[4];
  float *to = faulty ? p : host;
  HERE; to[0] = 1;
  cudaFree(p);
}
PAIR(host_writes)

static void host_memcpy(bool faulty) {
  float *p = zero_floats(), host[100] = {}, other[100];
  HERE; memcpy(other, faulty ? p : host, sizeof other);
  cudaFree(p);
}
PAIR(host_memcpy)

static void host_past_pinned(bool faulty) {
  float *pinned;
  cudaMallocHost(&pinned, 400);
  for (int i = 0; i < (faulty ? 101 : 100); i++) {
    HERE; pinned[i] = 1;
  }
  cudaFreeHost(pinned);
}
PAIR(host_past_pinned)

static void kernel_heap(bool faulty) {
  float *host = static_cast<float *>(malloc(400)), *p = device_floats();
  store<<<1, 1>>>(faulty ? host : p, 3);
  cudaFree(p);
  free(host);
}
PAIR(kernel_heap)

static void kernel_stack(bool faulty) {
  float host[100], *p = device_floats();
  store<<<1, 1>>>(faulty ? host : p, 3);
  cudaFree(p);
}
PAIR(kernel_stack)

static void kernel_global(bool faulty) {
  float *p = device_floats();
  store<<<1, 1>>>(faulty ? host_table : p, 3);
  cudaFree(p);
}
PAIR(kernel_global)

static void kernel_null(bool faulty) {
  float *p = device_floats();
  store<<<1, 1>>>(faulty ? nullptr : p, 0);
  cudaFree(p);
}
PAIR(kernel_null)

static void kernel_past_packed(bool faulty) {
  enum { N = 300 };
  float *p[N];
  for (int i = 0; i < N; i++) cudaMalloc(&p[i], 100);
  store<<<1, 1>>>(p[N - 3], faulty ? 25 : 24);
  for (int i = 0; i < N; i++) cudaFree(p[i]);
}
PAIR(kernel_past_packed)

static void copy_unwritten(bool faulty) {
  float *p = device_floats(), host[100];
  cudaMemset(p, 0, faulty ? 100 : 400);
  HERE; cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(p);
}
PAIR(copy_unwritten)

static void copy_unwritten_copy(bool faulty) {
  float *p = device_floats(), *q = zero_floats(), host[100];
  cudaMemset(p, 0, 101);
  cudaMemcpy(q, p, faulty ? 400 : 100, cudaMemcpyDeviceToDevice);
  HERE; cudaMemcpy(host, q, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(p);
  cudaFree(q);
}
PAIR(copy_unwritten_copy)

static void kernel_unwritten(bool faulty) {
  float *p = faulty ? device_floats() : zero_floats(), *q = device_floats();
  load<<<1, 100>>>(p, q);
  cudaFree(p);
  cudaFree(q);
}
PAIR(kernel_unwritten)

static void kernel_unwritten_branch(bool faulty) {
  float *p = faulty ? device_floats() : zero_floats(), *q = zero_floats();
  branch<<<1, 1>>>(p, q);
  cudaFree(p);
  cudaFree(q);
}
PAIR(kernel_unwritten_branch)

static void shared_unwritten(bool faulty) {
  float *q = device_floats();
  through_shared<<<1, 64>>>(q, faulty ? 32 : 64);
  cudaFree(q);
}
PAIR(shared_unwritten)

static void pinned_read_early(bool faulty) {
  float *pinned, got;
  cudaMallocHost(&pinned, 400);
  store<<<1, 1>>>(pinned, 5);
  if (!faulty) cudaDeviceSynchronize();
  HERE; got = pinned[5];
  if (got != 1) abort();
  got = pinned[6]; // nobody writes there
  cudaFreeHost(pinned);
}
PAIR(pinned_read_early)

static void pinned_write_early(bool faulty) {
  float *pinned, *q = device_floats();
  cudaMallocHost(&pinned, 400);
  memset(pinned, 0, 400);
  load<<<1, 10>>>(pinned, q);
  if (!faulty) cudaStreamSynchronize(nullptr);
  pinned[10] = 1; // nobody reads there
  HERE; pinned[9] = 1;
  cudaFreeHost(pinned);
  cudaFree(q);
}
PAIR(pinned_write_early)

static void managed_read_early(bool faulty) {
  float *p;
  cudaEvent_t done;
  cudaEventCreate(&done);
  cudaMallocManaged(&p, 400);
  store<<<1, 1>>>(p, 5);
  cudaEventRecord(done);
  if (!faulty) cudaEventSynchronize(done);
  HERE; if (p[5] != 1) abort();
  cudaEventDestroy(done);
  cudaFree(p);
}
PAIR(managed_read_early)

// A kernel raises a flag in memory for both, and the host polls it.
__global__ void raise(volatile int *flag, float *data) {
  data[0] = 5;
  __threadfence_system();
  *flag = 1;
}

static void flag_plain(bool faulty) {
  int *flag;
  float *data;
  cudaMallocHost(&flag, 4);
  cudaMallocHost(&data, 4);
  *flag = 0;
  raise<<<1, 1>>>(flag, data);
  if (!faulty)
    while (!*static_cast<volatile int *>(flag)) {}
  HERE; if (data[0] != 5) abort();
  cudaFreeHost(flag);
  cudaFreeHost(data);
}
PAIR(flag_plain)

static void async_read_early(bool faulty) {
  float *p = zero_floats(), *pinned;
  cudaMallocHost(&pinned, 400);
  cudaMemcpyAsync(pinned, p, 400, cudaMemcpyDeviceToHost);
  if (!faulty) cudaDeviceSynchronize();
  HERE; if (pinned[3] != 0) abort();
  cudaFreeHost(pinned);
  cudaFree(p);
}
PAIR(async_read_early)

static void async_write_early(bool faulty) {
  float *p = device_floats(), *pinned;
  cudaMallocHost(&pinned, 400);
  cudaMemcpyAsync(p, pinned, 400, cudaMemcpyHostToDevice);
  if (!faulty) cudaDeviceSynchronize();
  HERE; pinned[3] = 1;
  cudaFreeHost(pinned);
  cudaFree(p);
}
PAIR(async_write_early)

// What nobody has written, to memory that the host can read without a further copy.
static void pinned_unwritten(bool faulty) {
  float *p = device_floats(), *pinned;
  cudaMallocHost(&pinned, 400);
  cudaMemset(p, 0, faulty ? 200 : 400);
  HERE; cudaMemcpyAsync(pinned, p, 400, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  cudaFreeHost(pinned);
  cudaFree(p);
}
PAIR(pinned_unwritten)

static void registered_unwritten(bool faulty) {
  float *p = device_floats(), *own = static_cast<float *>(malloc(400));
  cudaHostRegister(own, 400, cudaHostRegisterDefault);
  cudaMemset(p, 0, faulty ? 200 : 400);
  HERE; cudaMemcpy(own, p, 400, cudaMemcpyDeviceToHost);
  cudaHostUnregister(own);
  free(own);
  cudaFree(p);
}
PAIR(registered_unwritten)

// A variable that host code uses where kernels do.
__managed__ int board[8];
__global__ void add_to_board(int n) {
  for (int i = 0; i < n; i++) board[i] += 1;
}
__global__ void name_on_board(bool plain) {
  if (plain) board[0] = threadIdx.x;
  else atomicExch(&board[0], threadIdx.x);
}

static void managed_variable_early(bool faulty) {
  add_to_board<<<1, 1>>>(8);
  if (!faulty) cudaDeviceSynchronize();
  HERE; int got = board[3];
  cudaDeviceSynchronize();
  board[4] = got;
}
PAIR(managed_variable_early)

static void managed_variable_lanes(bool faulty) {
  name_on_board<<<1, 2>>>(faulty);
  cudaDeviceSynchronize();
}
PAIR(managed_variable_lanes)

__global__ void set_board(int i) { board[i] = 1; }
static void managed_variable_extent(bool faulty) {
  set_board<<<1, 1>>>(faulty ? 8 : 7);
  cudaDeviceSynchronize();
}
PAIR(managed_variable_extent)

static void managed_variable_host(bool faulty) {
  int volatile i = faulty ? 8 : 7;
  HERE; board[i] = 1;
}
PAIR(managed_variable_host)

// Memory in the order of stream a, used in stream b: each way to be in order, one after the other.
struct TwoStreams {
  cudaStream_t a, b;
  cudaEvent_t event;
  float *p;
  TwoStreams() {
    cudaStreamCreate(&a);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    cudaMallocAsync(&p, 400, a);
  }
  ~TwoStreams() {
    cudaDeviceSynchronize();
    cudaEventDestroy(event);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
  }
  void b_waits_for_a() {
    cudaEventRecord(event, a);
    cudaStreamWaitEvent(b, event);
  }
  void a_waits_for_b() {
    cudaEventRecord(event, b);
    cudaStreamWaitEvent(a, event);
  }
};

static void ordered_alloc(bool faulty) {
  TwoStreams s;
  if (!faulty) s.b_waits_for_a();
  store<<<1, 1, 0, s.b>>>(s.p, 5);
  s.a_waits_for_b();
  cudaFreeAsync(s.p, s.a);
}
PAIR(ordered_alloc)

// Memory of a pool: the same, with a pool of the program's own.
static cudaMemPool_t new_pool() {
  cudaMemPool_t pool;
  cudaMemPoolProps how = {};
  how.allocType = cudaMemAllocationTypePinned;
  how.location.type = cudaMemLocationTypeDevice;
  cudaMemPoolCreate(&pool, &how);
  return pool;
}

static void pooled_alloc(bool faulty) {
  TwoStreams s;
  float *p;
  cudaMemPool_t pool = new_pool();
  cudaFreeAsync(s.p, s.a);
  cudaMallocFromPoolAsync(&p, 400, pool, s.a);
  if (!faulty) s.b_waits_for_a();
  store<<<1, 1, 0, s.b>>>(p, 5);
  s.a_waits_for_b();
  cudaFreeAsync(p, s.a);
  cudaMemPoolDestroy(pool);
}
PAIR(pooled_alloc)

static void pooled_free(bool faulty) {
  TwoStreams s;
  float *p;
  cudaMemPool_t pool = new_pool();
  cudaFreeAsync(s.p, s.a);
  cudaMallocAsync(&p, 400, pool, s.a);
  cudaStreamSynchronize(s.a);
  store<<<1, 1, 0, s.b>>>(p, 5);
  if (!faulty) s.a_waits_for_b();
  cudaFreeAsync(p, s.a);
  cudaMemPoolDestroy(pool);
}
PAIR(pooled_free)

static void pooled_leak(bool faulty) {
  float *p;
  cudaMemPool_t pool = new_pool();
  HERE; cudaMallocFromPoolAsync(&p, 400, pool, nullptr);
  cudaMemPoolDestroy(pool);
  if (!faulty) cudaFreeAsync(p, nullptr);
}
PAIR(pooled_leak)

static void ordered_alloc_copy(bool faulty) {
  TwoStreams s;
  static float host[100];
  if (!faulty) cudaStreamSynchronize(s.a);
  HERE; cudaMemcpyAsync(s.p, host, 400, cudaMemcpyHostToDevice, s.b);
  cudaStreamSynchronize(s.b);
  cudaFreeAsync(s.p, s.a);
}
PAIR(ordered_alloc_copy)

// Behind what its own stream has written there, which is behind the allocation.
static void ordered_alloc_read(bool faulty) {
  TwoStreams s;
  float *out = device_floats();
  cudaMemsetAsync(s.p, 0, 400, s.a);
  if (!faulty) s.b_waits_for_a();
  else cudaDeviceSynchronize(), store<<<1, 1, 0, s.a>>>(s.p, 5);
  load<<<1, 32, 0, s.b>>>(s.p, out);
  if (faulty) cudaDeviceSynchronize();
  cudaFreeAsync(s.p, s.b);
  cudaDeviceSynchronize();
  cudaFree(out);
}
PAIR(ordered_alloc_read)

static void ordered_free(bool faulty) {
  TwoStreams s;
  cudaStreamSynchronize(s.a);
  store<<<1, 1, 0, s.b>>>(s.p, 5);
  if (!faulty) s.a_waits_for_b();
  cudaFreeAsync(s.p, s.a);
}
PAIR(ordered_free)

static void ordered_free_read(bool faulty) {
  TwoStreams s;
  float *out = device_floats();
  cudaMemsetAsync(s.p, 0, 400, s.a);
  s.b_waits_for_a();
  load<<<1, 32, 0, s.b>>>(s.p, out);
  cudaFreeAsync(s.p, faulty ? s.a : s.b);
  cudaDeviceSynchronize();
  cudaFree(out);
}
PAIR(ordered_free_read)

// In the same stream, and behind the free.
static void ordered_gone(bool faulty) {
  TwoStreams s;
  if (faulty) cudaFreeAsync(s.p, s.a);
  store<<<1, 1, 0, s.a>>>(s.p, 5);
  if (!faulty) cudaFreeAsync(s.p, s.a);
}
PAIR(ordered_gone)

// A copy in one stream, of what a kernel in another one writes.
static void copy_beside_kernel(bool faulty) {
  float *p = zero_floats(), *pinned;
  cudaStream_t a, b;
  cudaMallocHost(&pinned, 400);
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cudaDeviceSynchronize();
  store<<<1, 1, 0, a>>>(p, 5);
  if (!faulty) cudaStreamSynchronize(a);
  HERE; cudaMemcpyAsync(pinned, p, 400, cudaMemcpyDeviceToHost, b);
  cudaDeviceSynchronize();
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
  cudaFreeHost(pinned);
  cudaFree(p);
}
PAIR(copy_beside_kernel)

// The other way round: the copy comes first.
static void copy_before_kernel(bool faulty) {
  float *p = zero_floats(), *pinned;
  cudaStream_t a, b;
  cudaMallocHost(&pinned, 400);
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cudaDeviceSynchronize();
  cudaMemcpyAsync(pinned, p, 400, cudaMemcpyDeviceToHost, b);
  store<<<1, 1, 0, faulty ? a : b>>>(p, 5);
  cudaDeviceSynchronize();
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
  cudaFreeHost(pinned);
  cudaFree(p);
}
PAIR(copy_before_kernel)

static void too_many_threads(bool faulty) {
  float *p = device_floats();
  HERE; one<<<1, faulty ? 1025 : 1024>>>(p);
  cudaFree(p);
}
PAIR(too_many_threads)

static void too_many_blocks(bool faulty) {
  float *p = device_floats();
  int i = 0;
  void *args[] = {&p, &i};
  HERE; cudaLaunchCooperativeKernel(store, dim3(faulty ? 132 * 32 + 1 : 1), dim3(1), args);
  cudaFree(p);
}
PAIR(too_many_blocks)

static void null_argument(bool faulty) {
  float *p = device_floats();
  int i = 0;
  void *args[] = {&p, faulty ? nullptr : &i};
  HERE; cudaLaunchKernel(store, dim3(1), dim3(1), args);
  cudaFree(p);
}
PAIR(null_argument)

static void prefetch_device(bool faulty) {
  float *p;
  if (faulty) cudaMalloc(&p, 400);
  else cudaMallocManaged(&p, 400);
  cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
  HERE; cudaMemPrefetchAsync(p, 400, device, 0, nullptr);
  cudaFree(p);
}
PAIR(prefetch_device)

// ---- kernels that break the context: 0, or the line of a check that failed ----

#define CHECK(condition) \
  do \
    if (!(condition)) return __LINE__; \
  while (0)

__global__ void far_away(float *p) { p[1ll << 33] = 1; }
__global__ void unaligned(char *p) { *reinterpret_cast<float *>(p + 1) = 1; }
__global__ void trap() { __trap(); }

// Told by the first call that waits, and by all from then on but those that only ask about devices and errors.
static int check_broken(cudaError_t error) {
  void *p;
  int n;
  CHECK(cudaPeekAtLastError() == cudaSuccess); // nobody has waited
  CHECK(cudaDeviceSynchronize() == error && cudaGetLastError() == error);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == error && cudaMalloc(&p, 4) == error && cudaFree(nullptr) == error);
  CHECK(cudaGetDeviceCount(&n) == cudaSuccess && cudaSetDevice(0) == cudaSuccess && cudaGetDevice(&n) == cudaSuccess);
  CHECK(cudaPeekAtLastError() == error);
  return 0;
}

extern "C" int broken_address() {
  far_away<<<1, 1>>>(device_floats());
  return check_broken(cudaErrorIllegalAddress);
}

extern "C" int broken_alignment() {
  unaligned<<<1, 1>>>(reinterpret_cast<char *>(device_floats()));
  return check_broken(cudaErrorMisalignedAddress);
}

extern "C" int broken_trap() {
  trap<<<1, 1>>>();
  return check_broken(cudaErrorLaunchFailure);
}

// What lies beside an allocation is mapped on a device as well: a finding, and the program goes on. So it is with a launch that is refused.
extern "C" int not_broken() {
  float *p = device_floats();
  store<<<1, 1>>>(p, 100);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  store<<<1, 2048>>>(p, 0);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue && cudaPeekAtLastError() == cudaErrorInvalidValue);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue && cudaGetLastError() == cudaSuccess);
  CHECK(cudaFree(p) == cudaSuccess);
  return 0;
}
