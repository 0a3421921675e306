/* cc_options.h - the command line of `warpfuzz cc`: nvcc's options, as far as they mean something on the engine. */
#ifndef WF_CC_OPTIONS_H
#define WF_CC_OPTIONS_H
#include "toolchain.h"

typedef enum WfCcStep {
  WF_CC_LINK,
  WF_CC_COMPILE,      /* -c, -dc */
  WF_CC_DEVICE_LINK,  /* -dlink */
  WF_CC_LIBRARY,      /* -lib */
  WF_CC_PREPROCESS,   /* -E */
  WF_CC_DEPENDENCIES  /* -M, -MM */
} WfCcStep;

typedef enum WfCcLanguage { WF_CC_BY_NAME, WF_CC_C, WF_CC_CXX, WF_CC_CUDA } WfCcLanguage;

/* What is linked, in the order of the command line. */
typedef struct WfCcItem {
  int is_option;    /* 1: text is one of the linker driver's; 0: a file */
  const char *text; /* lives as long as the options */
} WfCcItem;

typedef struct WfCcOptions {
  WfCcStep step;
  WfCcLanguage language;
  int relocatable, fast, verbose, dry, run, with_dependencies, forward, help, version;
  const char *output, *output_dir, *dependency_file, *dependency_target, *host_compiler; /* NULL: not given */
  WfArgs device, host, cxx; /* for simt-cc; for the host compiler; for it with C++ only */
  WfArgs link;         /* for what links, wherever files stand */
  WfArgs run_args;
  WfArgs noted;        /* options that are about GPU code, and were ignored; each once */
  WfCcItem *items;
  size_t n_items;
  WfArgs texts;        /* owned */
} WfCcOptions;

/* 0; -1: one line in err. Either way wf_cc_options_free() follows. */
int wf_cc_options_parse(WfCcOptions *out, int n, const char *const *args, char *err, size_t err_size);
void wf_cc_options_free(WfCcOptions *o);

#endif
