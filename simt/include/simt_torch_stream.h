/* simt_torch_stream.h - of PyTorch's C++ interface: streams, and which of them is the current one. */
#ifndef SIMT_PYTORCH_STREAM_H
#define SIMT_PYTORCH_STREAM_H
#include "simt_torch_types.h"

namespace c10 {
namespace cuda {

/* There is one device, and a current stream for each host thread: the default one, unless a guard says otherwise. */
class CUDAStream {
public:
  explicit CUDAStream(cudaStream_t s = nullptr) : handle(s) {}
  operator cudaStream_t() const { return handle; }
  cudaStream_t stream() const { return handle; }
  void synchronize() const { cudaStreamSynchronize(handle); }
  DeviceIndex device_index() const { return 0; }
  bool operator==(const CUDAStream &other) const { return handle == other.handle; }

private:
  cudaStream_t handle;
};
inline cudaStream_t &simt_current_stream() {
  static thread_local cudaStream_t current = nullptr;
  return current;
}
inline CUDAStream getCurrentCUDAStream(int = -1) { return CUDAStream(simt_current_stream()); }
inline CUDAStream getDefaultCUDAStream(int = -1) { return CUDAStream(); }
/* One of 32, in turn, none of which waits for the default stream. */
inline CUDAStream getStreamFromPool(bool = false, int = -1) {
  enum { N_STREAMS = 32 };
  static cudaStream_t pool[N_STREAMS];
  static unsigned next;
  cudaStream_t &s = pool[next++ % N_STREAMS];
  if (!s) cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  return CUDAStream(s);
}
inline CUDAStream getStreamFromExternal(cudaStream_t s, int = 0) { return CUDAStream(s); }
inline void setCurrentCUDAStream(CUDAStream s) { simt_current_stream() = s.stream(); }

} // namespace cuda
typedef cuda::CUDAStream CUDAStream;
} // namespace c10

#endif
