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

/* What names begin with: whole names, or folders and families. */
static const char *const refused[] = {"cublas.h",      "cublasLt.h", "cublasXt.h", "cudaEGL", "cudaGL", "cudaProfiler", "cudaTypedefs.h",
                                      "cudaVDPAU",     "cuda_awbarrier", "cuda_egl_interop.h", "cuda_gl_interop.h", "cuda_vdpau_interop.h",
                                      "cudalibxt.h",   "cudnn",      "cufft",      "cupti",   "cusolver", "cusparse",  "cute/",
                                      "cutensor",      "cutlass/",   "nccl",       "nppc",    "nppd",     "nppi",      "npps",
                                      "npp.h",         "nv/target",  "nvJitLink.h", "nvblas.h", "nvjpeg", "nvml.h",    "nvperf",
                                      "nvrtc.h",       "nvshmem",    "nvvm.h",     "optix",   "thrust/"};

static int is_refused(const char *name, size_t len) {
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    if (strlen(refused[i]) <= len && memcmp(refused[i], name, strlen(refused[i])) == 0)
      return 1;
  return 0;
}

/* Is there such a file in the source's folder? */
static int is_beside(const char *source, const char *name, size_t len) {
  char path[4096];
  const char *slash = strrchr(source, '/');
  int n = snprintf(path, sizeof path, "%.*s%.*s", slash ? (int)(slash - source) + 1 : 0, source, (int)len, name);
  return n > 0 && (size_t)n < sizeof path && access(path, F_OK) == 0;
}

int simt_scan_headers(const SimtSource *src, const char *name, SimtEdits *out) {
  for (size_t i = 0; i < src->n_includes; i++) {
    const size_t at = src->includes[i].at, len = src->includes[i].end - at - 2;
    const char *header = src->text + at + 1;
    if (!is_refused(header, len) || is_beside(name, header, len))
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
