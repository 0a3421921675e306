/* manual_tables.c - the tables of the command line, as manual pages and completions want them. */
#include "manual.h"
#include <ctype.h>
#include <string.h>

enum { FLAG, COUNT, SEED, TIME, SIZE, TEXT, TOLERANCE, MAGNITUDE, BACKEND, FLAVOR, CLASS, MASKED };

const WfManualCommand wf_manual_commands[WF_COMMAND_NONE] = {
#define WF_COMMAND(id, name, operands, min, max, summary, notes) {name, operands, summary, notes},
#include "options.def"
#undef WF_COMMAND
};

#define WF_IN(id) (1u << WF_COMMAND_##id)
#define WF_IN_ALL (~0u)
const WfManualOption wf_manual_options[] = {
#define WF_OPTION(commands, name, argument, kind, field, help) {commands, name, argument, kind, help},
#include "options.def"
#undef WF_OPTION
};
const size_t wf_manual_n_options = sizeof wf_manual_options / sizeof *wf_manual_options;

static const struct {
  int kind;
  const char *name;
} choices[] = {
#define WF_CHOICE(kind, value, name) {kind, name},
#include "options.def"
#undef WF_CHOICE
};

/* The kinds of cc_options.c: what is said of each. Members of its rows are compiler flags, of no interest here. */
#define NONE 0
#define ONE 1
#define LIST 1
#define CC_IGNORED WF_CC_IGNORED
#define CC_NOTED WF_CC_NOTED
#define CC_REFUSED WF_CC_REFUSED
enum {
  CC_FLAG = WF_CC_DONE, CC_TRUTH = WF_CC_DONE, CC_TEXT = WF_CC_DONE, CC_STEP = WF_CC_DONE, CC_RELOCATABLE = WF_CC_DONE, CC_EVERY = WF_CC_DONE,
  CC_HOST = WF_CC_DONE, CC_STANDARD = WF_CC_DONE, CC_LANGUAGE = WF_CC_DONE, CC_STREAM = WF_CC_DONE, CC_COMPILER = WF_CC_DONE,
  CC_LINKER = WF_CC_DONE, CC_ITEM = WF_CC_DONE, CC_RUN_ARGS = WF_CC_DONE, CC_FILE_OF_OPTIONS = WF_CC_DONE
};

const WfManualCcOption wf_manual_cc_options[] = {
#define WF_CC_OPTION(name, brief, takes, what, ...) {name, brief, takes, (WfManualCcKind)CC_##what},
#include "cc_options.def"
};
const size_t wf_manual_n_cc_options = sizeof wf_manual_cc_options / sizeof *wf_manual_cc_options;

const WfManualOption *wf_manual_next(WfCommand command, size_t *at) {
  while (command != WF_COMMAND_CC && *at < wf_manual_n_options) {
    const WfManualOption *o = &wf_manual_options[(*at)++];
    if (o->commands >> command & 1) return o;
  }
  return NULL;
}

const char *wf_manual_brief(const char *name) {
#define WF_BRIEF(brief, long_name) \
  if (strcmp(name, long_name) == 0) return brief;
#include "options.def"
#undef WF_BRIEF
  return "";
}

/* ---- values ---- */

static void add_word(char words[WF_SOURCE_TEXT], const char *word, size_t len) {
  size_t n = strlen(words);
  snprintf(words + n, WF_SOURCE_TEXT - n, "%s%.*s", n ? " " : "", (int)len, word);
}

static void add_choices(int kind, char words[WF_SOURCE_TEXT]) {
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
    if (choices[i].kind == kind) add_word(words, choices[i].name, strlen(choices[i].name));
  for (int i = 0; kind == FLAVOR && i < WF_GPU_FLAVOR_COUNT; i++)
    add_word(words, wf_gpu_flavor_name((WfGpuFlavor)i), strlen(wf_gpu_flavor_name((WfGpuFlavor)i)));
  for (int i = 0; kind == CLASS && i < SIMT_CLASS_COUNT; i++)
    add_word(words, simt_class_name((SimtClass)i), strlen(simt_class_name((SimtClass)i)));
}

static WfSource named(const char *argument, char words[WF_SOURCE_TEXT]) {
  if (!strcmp(argument, "FILE")) return WF_SOURCE_FILES;
  if (!strcmp(argument, "DIR")) return WF_SOURCE_DIRS;
  if (!strcmp(argument, "OP")) return WF_SOURCE_OPS;
  if (!strcmp(argument, "OP/VARIANT")) return WF_SOURCE_TARGETS;
  if (!strcmp(argument, "LIST")) {
#define WF_TOOL(name) add_word(words, name, strlen(name));
#include "options.def"
#undef WF_TOOL
  }
  int first = !strcmp(argument, "TYPES") ? WF_F32 : !strcmp(argument, "TYPE") ? WF_F16 : WF_DTYPE_COUNT; /* --arith: of 16 bits */
  for (int t = first; t < WF_DTYPE_COUNT; t++) add_word(words, wf_dtype_name((WfDtype)t), strlen(wf_dtype_name((WfDtype)t)));
  return *words ? WF_SOURCE_WORDS : WF_SOURCE_NONE;
}

WfSource wf_manual_value(const WfManualOption *o, char words[WF_SOURCE_TEXT]) {
  words[0] = '\0';
  add_choices(o->kind, words);
  return *words ? WF_SOURCE_WORDS : !o->argument ? WF_SOURCE_NONE : named(o->argument, words);
}

WfSource wf_manual_cc_value(const WfManualCcOption *o, const char **words) {
  static const struct {
    const char *name, *words;
  } fixed[] = {
#define WF_CC_VALUES(name, values) {name, values},
#include "cc_options.def"
  };
  *words = "";
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    if (strcmp(fixed[i].name, o->name) == 0) *words = fixed[i].words;
  return !o->takes_value ? WF_SOURCE_NONE : **words ? WF_SOURCE_WORDS : WF_SOURCE_FILES;
}

/* "[ops|variants|devices]" are words, "[OP | OP/VARIANT]..." names, and everything else files. */
WfSource wf_manual_operand(WfCommand command, char words[WF_SOURCE_TEXT]) {
  const char *at = wf_manual_commands[command].operands;
  words[0] = '\0';
  if (strstr(at, "OP/VARIANT")) return WF_SOURCE_TARGETS;
  if (*at != '[' || !islower((unsigned char)at[1]) || command == WF_COMMAND_CC) return WF_SOURCE_FILES;
  while (*(at += strspn(at, "[|]"))) {
    size_t len = strcspn(at, "[|]");
    add_word(words, at, len);
    at += len;
  }
  return WF_SOURCE_WORDS;
}
