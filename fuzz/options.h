/* options.h - the command line as a struct; the table behind it is options.def. */
#ifndef WF_OPTIONS_H
#define WF_OPTIONS_H
#include "run.h"
#include "watch.h"
#include "../simt/simt.h"
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

typedef enum WfCommand {
#define WF_COMMAND(id, name, operands, min, max, summary, notes) WF_COMMAND_##id,
#include "options.def"
#undef WF_COMMAND
  WF_COMMAND_NONE
} WfCommand;

enum { WF_MAX_COMPILE = 128 };

typedef struct WfOptions {
  const char *program; /* argv[0] */
  WfCommand command; /* WF_COMMAND_NONE: only with help or version */
  int help, version;
  const char *const *operands; /* points into argv */
  int n_operands;
  uint64_t time_ns; /* 0: not given */
  uint64_t runs;    /* 0: not given */
  uint64_t jobs;    /* 1 .. WF_MAX_JOBS */
  uint64_t seed;
  int has_seed;
  uint64_t repeat; /* at least 1 */
  const char *out, *corpus, *variant, *dims, *output, *sources; /* but for out: NULL when not given */
  uint64_t memory_bytes; /* 0: not given */
  const char *known; /* NULL when not given */
  const char *const *arguments; /* what was typed behind the program's name, in its order: main() sets it */
  int n_arguments;
  const char *tools, *json_file; /* NULL when not given */
  const char *html, *junit, *sarif; /* of report: files; NULL when not given */
  SimtClass cls; /* SIMT_CLASS_COUNT: not given */
  const char *op, *launch, *dtype, *arith, *block, *grid, *shared, *requires, *owns, *suppress; /* of check; NULL when not given */
  WfMasked masked;
  int has_masked;
  double values; /* 0: not given */
  int finite, unzeroed, fast_math, offsets, empty;
  const char *compile[WF_MAX_COMPILE]; /* -I, -D, -U and -std of check, as they were given: "-I", "dir" */
  int n_compile;
  double rtol, atol;
  WfAllowance allowed; /* of one case */
  WfBackend backend;
  WfGpuFlavor flavor;
  uint64_t device_ns; /* 0: not given */
  int outside, resume;
  int published, strict, stop_on_first, expected, json, plain;
} WfOptions;

#define WF_MAX_JOBS 256
#define WF_MAX_KERNEL_TEXT 2000 /* bytes of --launch, --requires ... of check */
#define WF_MAX_PATH_BYTES 4095 /* what Linux takes */
#define WF_MAX_OUT_BYTES 3500 /* leaves room for the names below it within PATH_MAX */

/* Parses the arguments after argv[0]; options and operands may be mixed, "--" ends the options. Reorders argv. Returns
 * 0, or -1 with a one-line message in err. */
int wf_options_parse(WfOptions *out, int argc, char **argv, char *err, size_t err_size);

/* The help of one command, or of all (WF_COMMAND_NONE). */
void wf_options_help(WfCommand command, FILE *out);

/* "4g", "512m": bytes with k, m or g for 2^10, 2^20 or 2^30 of them. 0, or -1: not a positive size, or 2^63 bytes and more. */
int wf_size_parse(const char *text, uint64_t *out_bytes);

/* "90", "90s", "5m", "8h" as nanoseconds. 0, or -1: not a positive time, or above 2^63 ns. */
int wf_time_parse(const char *text, uint64_t *out_ns);

#endif
