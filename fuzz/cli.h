/* cli.h - the commands. Each takes parsed options and returns the exit status; only main() exits. */
#ifndef WF_CLI_H
#define WF_CLI_H
#include "options.h"
#include "select.h"
#include "../gpu/gpu.h"

enum { /* exit status, the same for every command */
  WF_EXIT_CLEAN = 0,
  WF_EXIT_FINDINGS = 1,
  WF_EXIT_USAGE = 2,
  WF_EXIT_NOTHING = 77,
  WF_EXIT_HARNESS = 99
};

int wf_cmd_list(const WfOptions *o);
int wf_cmd_check(const WfOptions *o);
int wf_cmd_fuzz(const WfOptions *o);
int wf_cmd_replay(const WfOptions *o);
int wf_cmd_sanitize(const WfOptions *o);
int wf_cmd_shrink(const WfOptions *o);
int wf_cmd_emit(const WfOptions *o);
int wf_cmd_show(const WfOptions *o);
int wf_cmd_agree(const WfOptions *o);
int wf_cmd_report(const WfOptions *o);
int wf_cmd_cc(const WfOptions *o);

/* The worse of two statuses: harness failure, then unreadable input, findings, nothing to run, clean. */
int wf_exit_worse(int a, int b);

/* Each prints its message and returns its exit status. */
int wf_out_of_memory(void);
int wf_usage(const char *message);

/* Prints one line to stderr, without control characters whatever its arguments hold. */
void wf_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- devices (cli_gpu.c). Each says on stderr what is wrong, and returns an exit status ---- */

/* WF_EXIT_CLEAN when the chosen backend can run here, with the number of visible devices if it is to use them; WF_EXIT_NOTHING. */
int wf_backend_check(const WfOptions *o, int *n_devices);

/* Opens a device, if the backend uses one, and has the runner use it. *out is NULL where nothing was opened; wf_gpu_destroy() takes
 * that, too. */
int wf_backend_open(const WfOptions *o, WfRunner *r, WfGpu **out);

/* 1: the variant can be run, as far as it has to be built for the device in the chosen flavor. */
int wf_backend_has(const WfOptions *o, const WfTarget *t);
/* Leaves out those that cannot. WF_EXIT_NOTHING: that is all. */
int wf_backend_keep_built(const WfOptions *o, WfTarget *targets, size_t *n_targets);

/* "clean", "findings", "harness failure" ...: what an exit status means, in the last line of a command. */
const char *wf_exit_word(int status);

#endif
