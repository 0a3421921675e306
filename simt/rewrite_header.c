/* rewrite_header.c - headers of CUDA's that the engine does not have. Where a toolkit is installed the compiler would find them, on its own paths, and
 * say much about what they say; elsewhere it would not know what is missing. */
#define _POSIX_C_SOURCE 200809L
#include "rewrite_scan.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* simt-cc looks for this text in messages. */
static const char why[] = "this header of CUDA is not supported by the engine";

/* Headers of NVIDIA's by their names, folders of such ones with a slash; one with a star stands for all that begin so. Others may have names that are like these. */
static const char *const refused[] = {
    "cublas.h", "cublasLt.h", "cublasXt.h", "cudaEGL.h", "cudaEGLTypedefs.h", "cudaGL.h", "cudaGLTypedefs.h", "cudaProfiler.h",
    "cudaProfilerTypedefs.h", "cudaTypedefs.h", "cudaVDPAU.h", "cudaVDPAUTypedefs.h", "cuda_awbarrier.h", "cuda_awbarrier_helpers.h",
    "cuda_awbarrier_primitives.h", "cuda_egl_interop.h", "cuda_gl_interop.h", "cuda_vdpau_interop.h", "cudalibxt.h", "cudnn.h", "cudnn_adv.h",
    "cudnn_adv_*", "cudnn_backend.h", "cudnn_backend_*", "cudnn_cnn.h", "cudnn_cnn_*", "cudnn_frontend.h", "cudnn_frontend/", "cudnn_graph.h",
    "cudnn_ops.h", "cudnn_ops_*", "cudnn_version.h", "cufft.h", "cufftMp.h", "cufftXt.h", "cufftdx.hpp", "cufftw.h", "cupti.h", "cupti_activity*",
    "cupti_callbacks.h", "cupti_checkpoint.h", "cupti_common.h", "cupti_driver_cbid.h", "cupti_events.h", "cupti_metrics.h", "cupti_nvtx_cbid.h",
    "cupti_pcsampling*", "cupti_pmsampling.h", "cupti_profiler_*", "cupti_range_profiler.h", "cupti_result.h", "cupti_runtime_cbid.h",
    "cupti_sass_metrics.h", "cupti_target.h", "cupti_version.h", "cusolverDn.h", "cusolverMg.h", "cusolverMp.h", "cusolverRf.h", "cusolverSp.h",
    "cusolverSp_*", "cusolver_common.h", "cusparse.h", "cusparseLt.h", "cusparse_v2.h", "cute/", "cutensor.h", "cutensor/", "cutensorMg.h",
    "cutensorMp.h", "cutlass/", "nccl.h", "nccl_device.h", "nccl_device/", "nccl_net.h", "npp.h", "nppcore.h", "nppdefs.h", "nppi.h",
    "nppi_arithmetic_*", "nppi_color_*", "nppi_compression_*", "nppi_computer_vision.h", "nppi_data_*", "nppi_filtering_*", "nppi_geometry_*",
    "nppi_linear_*", "nppi_morphological_*", "nppi_statistics_*", "nppi_support_*", "nppi_threshold_*", "npps.h", "npps_arithmetic_*",
    "npps_conversion_*", "npps_filtering_*", "npps_initialization.h", "npps_statistics_*", "npps_support_*", "nv/target", "nvJitLink.h",
    "nvblas.h", "nvjpeg.h", "nvjpeg2k.h", "nvml.h", "nvperf_*", "nvrtc.h", "nvshmem.h", "nvshmem_*", "nvshmemx.h", "nvvm.h", "optix.h",
    "optix_*", "thrust/"};

static int is_refused(const char *name, size_t len) {
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    size_t n = strlen(refused[i]), is_family = refused[i][n - 1] == '*', is_folder = refused[i][n - 1] == '/';
    n -= is_family;
    if ((is_family || is_folder ? n < len : n == len) && memcmp(refused[i], name, n) == 0)
      return 1;
  }
  return 0;
}

/* Is there such a file in the folder dir[0..n)? n 0: in the one where we are. */
static int is_in(const char *dir, size_t n, const char *name, size_t len) {
  char path[4096];
  int is_open = n && dir[n - 1] != '/';
  int all = snprintf(path, sizeof path, "%.*s%s%.*s", (int)n, dir, is_open ? "/" : "", (int)len, name);
  return all > 0 && (size_t)all < sizeof path && access(path, F_OK) == 0;
}

/* The user's own: beside the source, or in one of the folders that were named, a line each, which is not a toolkit's. */
static int is_own(const char *source, const char *dirs, const char *name, size_t len) {
  static const char toolkit[] = "cuda_runtime_api.h";
  const char *slash = strrchr(source, '/');
  if (is_in(source, slash ? (size_t)(slash - source) + 1 : 0, name, len))
    return 1;
  for (const char *dir = dirs; dir && *dir;) {
    size_t n = strcspn(dir, "\n");
    if (n && is_in(dir, n, name, len) && !is_in(dir, n, toolkit, sizeof toolkit - 1))
      return 1;
    dir += n + (dir[n] == '\n');
  }
  return 0;
}

int simt_scan_headers(const SimtSource *src, const char *name, const char *dirs, SimtEdits *out) {
  for (size_t i = 0; i < src->n_includes; i++) {
    const size_t at = src->includes[i].at, len = src->includes[i].end - at - 2;
    const char *header = src->text + at + 1;
    if (!is_refused(header, len) || is_own(name, dirs, header, len))
      continue;
    size_t room = len + sizeof why + 4;
    char *text = malloc(room);
    if (!text)
      return -2;
    snprintf(text, room, "%c%.*s: %s%c", header[-1], (int)len, header, why, header[len]);
    if (simt_edit_add(out, (SimtEdit){.kind = SIMT_EDIT_OWN_TEXT, .at = at, .end = at + len + 2, .own = text})) {
      free(text);
      return -2;
    }
  }
  return 0;
}
