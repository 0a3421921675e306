/* options.c - the parser and the help texts, both from options.def. */
#include "options.h"
#include "number.h"
#include <errno.h>
#include <float.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef enum WfOptionKind { FLAG, COUNT, SEED, TIME, SIZE, TEXT, TOLERANCE, MAGNITUDE, BACKEND, FLAVOR, CLASS, MASKED } WfOptionKind;

typedef struct CommandDesc {
  const char *name, *operands;
  int min, max;
  const char *summary, *notes;
} CommandDesc;

typedef struct OptionDesc {
  unsigned commands; /* set of WF_IN() */
  const char *name, *argument;
  WfOptionKind kind;
  size_t field; /* offset in WfOptions */
  const char *help;
} OptionDesc;

#define WF_IN(id) (1u << WF_COMMAND_##id)
#define WF_IN_ALL (~0u) /* with or without a command */

static const CommandDesc commands[] = {
#define WF_COMMAND(id, name, operands, min, max, summary, notes) {name, operands, min, max, summary, notes},
#include "options.def"
#undef WF_COMMAND
};

static const OptionDesc options[] = {
#define WF_OPTION(commands, name, argument, kind, field, help) \
  {commands, name, argument, kind, offsetof(WfOptions, field), help},
#include "options.def"
#undef WF_OPTION
};

enum { N_OPTIONS = sizeof options / sizeof *options };

int wf_time_parse(const char *text, uint64_t *out_ns) {
  static const struct {
    const char *suffix;
    uint64_t ns;
  } units[] = {{"", 1000000000u}, {"s", 1000000000u}, {"m", 60000000000u}, {"h", 3600000000000u}};
  if (*text < '0' || *text > '9') return -1;
  char *end;
  errno = 0;
  unsigned long long n = strtoull(text, &end, 10);
  if (errno || n == 0) return -1;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    if (strcmp(end, units[i].suffix) != 0) continue;
    if (n > (UINT64_MAX >> 1) / units[i].ns) return -1;
    *out_ns = n * units[i].ns;
    return 0;
  }
  return -1;
}

int wf_size_parse(const char *text, uint64_t *out_bytes) {
  static const char *const suffixes[] = {"", "k", "m", "g"};
  if (*text < '0' || *text > '9') return -1;
  char *end;
  errno = 0;
  unsigned long long n = strtoull(text, &end, 10);
  if (errno || n == 0) return -1;
  for (unsigned i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
    if (strcmp(end, suffixes[i]) != 0) continue;
    if (n > (UINT64_MAX >> 1) >> (10 * i)) return -1;
    *out_bytes = n << (10 * i);
    return 0;
  }
  return -1;
}

/* Decimal, or hexadecimal with 0x; nothing before or after the digits. */
static int parse_u64(const char *text, uint64_t *out) {
  if (*text < '0' || *text > '9') return -1;
  int hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  char *end;
  errno = 0;
  *out = strtoull(text, &end, hex ? 16 : 10);
  return errno || *end != '\0' || end == text ? -1 : 0;
}

/* Finite, and not below 0. */
static int parse_tolerance(const char *text, double *out) {
  return wf_number_double(text, strlen(text), out) != 0 || !(*out >= 0) || *out - *out != 0 ? -1 : 0;
}

static const struct {
  WfOptionKind kind;
  int value;
  const char *name;
} choices[] = {
#define WF_CHOICE(kind, value, name) {kind, value, name},
#include "options.def"
#undef WF_CHOICE
};

/* The value of the kind that has the name. 0 or -1. */
static int parse_choice(WfOptionKind kind, const char *text, int *out) {
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
    if (choices[i].kind != kind || strcmp(text, choices[i].name) != 0) continue;
    *out = choices[i].value;
    return 0;
  }
  return -1;
}

static int parse_backend(const char *text, WfBackend *out) {
  int value = 0, rc = parse_choice(BACKEND, text, &value);
  if (!rc) *out = (WfBackend)value;
  return rc;
}

static int parse_masked(const char *text, WfMasked *out) {
  int value = 0, rc = parse_choice(MASKED, text, &value);
  if (!rc) *out = (WfMasked)value;
  return rc;
}

/* Stores the value of one option. NULL, or what the argument should have been. */
static const char *store(const OptionDesc *d, WfOptions *o, const char *value) {
  void *field = (char *)o + d->field;
  switch (d->kind) {
  case FLAG:
    *(int *)field = 1;
    return NULL;
  case COUNT:
    return parse_u64(value, field) != 0 || *(uint64_t *)field == 0 ? "a whole number above 0" : NULL;
  case SEED:
    o->has_seed = 1;
    return parse_u64(value, field) != 0 ? "a number of 64 bits" : NULL;
  case TIME:
    return wf_time_parse(value, field) != 0 ? "a time such as 60s, 5m or 8h" : NULL;
  case SIZE:
    return wf_size_parse(value, field) != 0 ? "a size such as 512m or 4g" : NULL;
  case TEXT:
    *(const char **)field = value;
    return *value == '\0' ? "a text that is not empty" : NULL;
  case TOLERANCE:
    return parse_tolerance(value, field) != 0 ? "a number from 0 on, such as 1e-4" : NULL;
  case MAGNITUDE:
    return parse_tolerance(value, field) != 0 || !(*(double *)field > 0) || *(double *)field > (double)FLT_MAX ? "a float above 0, such as 1000" : NULL;
  case BACKEND:
    return parse_backend(value, field) != 0 ? "simt, gpu or both" : NULL;
  case FLAVOR:
    return wf_gpu_flavor_parse(value, strlen(value), field) != 0 ? "default, fastmath, nofmad or debug" : NULL;
  case CLASS:
    return simt_class_parse(value, strlen(value), field) != 0 ? "a class of findings (doc/CASE.md)" : NULL;
  case MASKED:
    o->has_masked = 1;
    return parse_masked(value, field) != 0 ? "nan, zero or uniform" : NULL;
  }
  return NULL;
}

static const struct {
  const char *brief, *name;
} brief_names[] = {
#define WF_BRIEF(brief, name) {brief, name},
#include "options.def"
#undef WF_BRIEF
};

enum { N_BRIEF = sizeof brief_names / sizeof *brief_names };

/* "-o" for "output"; "": there is none. */
static const char *brief_of(const char *name) {
  for (size_t i = 0; i < N_BRIEF; i++)
    if (strcmp(brief_names[i].name, name) == 0) return brief_names[i].brief;
  return "";
}

/* The command's option of the name; NULL: it has none. */
static const OptionDesc *option_find(WfCommand command, const char *name, size_t len) {
  for (size_t i = 0; i < N_OPTIONS; i++)
    if (options[i].commands >> command & 1 && strlen(options[i].name) == len && memcmp(options[i].name, name, len) == 0)
      return &options[i];
  return NULL;
}

enum { SHOWN_BYTES = 64 };

/* An argument as messages show it: its beginning. */
static const char *shown(char buf[SHOWN_BYTES], const char *arg) {
  int n = snprintf(buf, SHOWN_BYTES, "%s", arg);
  if (n >= SHOWN_BYTES) memcpy(buf + SHOWN_BYTES - 4, "...", 4);
  return buf;
}

/* -I, -D, -U with their values, joined or apart, and -std=...: how many arguments at args[at] are such an option; 0: none. */
static int compile_words(const WfOptions *o, int n, char **args, int at) {
  const char *arg = args[at];
  if (o->command != WF_COMMAND_CHECK || arg[0] != '-') return 0;
  if (strncmp(arg, "-std=", 5) == 0) return 1;
  if (!strchr("IDU", arg[1])) return 0;
  return arg[2] ? 1 : at + 1 < n ? 2 : 0;
}

/* One option at args[at]; returns how many arguments it took, or -1. */
static int parse_option(WfOptions *o, int n, char **args, int at, char *err, size_t err_size) {
  const char *arg = args[at];
  char buf[SHOWN_BYTES];
  int words = compile_words(o, n, args, at);
  if (words && o->n_compile + words > WF_MAX_COMPILE) {
    snprintf(err, err_size, "check: too many options for the compiler");
    return -1;
  }
  for (int i = 0; i < words; i++) o->compile[o->n_compile++] = args[at + i];
  if (words) return words;
  if (strcmp(arg, "-h") == 0) arg = "--help";
  const char *equals = strchr(arg, '=');
  size_t len = equals ? (size_t)(equals - arg) : strlen(arg);
  const OptionDesc *d = strncmp(arg, "--", 2) == 0 && len > 2 ? option_find(o->command, arg + 2, len - 2) : NULL;
  for (size_t i = 0; i < N_BRIEF; i++)
    if (strcmp(arg, brief_names[i].brief) == 0) d = option_find(o->command, brief_names[i].name, strlen(brief_names[i].name));
  const char *command = o->command == WF_COMMAND_NONE ? "" : commands[o->command].name;
  if (!d) {
    snprintf(err, err_size, "%s%sunknown option '%s'", command, *command ? ": " : "", shown(buf, arg));
    return -1;
  }
  const char *value = equals ? equals + 1 : NULL;
  int taken = 1;
  if (d->argument && !value && at + 1 < n) value = args[at + taken++];
  if (!d->argument != !value) {
    snprintf(err, err_size, "--%s %s", d->name, d->argument ? "needs a value" : "takes no value");
    return -1;
  }
  const char *wanted = store(d, o, value);
  if (!wanted) return taken;
  snprintf(err, err_size, "--%s takes %s, not '%s'", d->name, wanted, shown(buf, value));
  return -1;
}

/* The first operand of the program names the command. 0 or -1. */
static int take_command(WfOptions *o, const char *name, char *err, size_t err_size) {
  for (int i = 0; i < (int)WF_COMMAND_NONE; i++) {
    if (strcmp(commands[i].name, name) != 0) continue;
    o->command = (WfCommand)i;
    return 0;
  }
  char buf[SHOWN_BYTES];
  snprintf(err, err_size, "unknown command '%s' (warpfuzz --help lists them)", shown(buf, name));
  return -1;
}

/* Paths that no file can have: a message with one of them in it would have no room for the reason. */
static int check_paths(const WfOptions *o, char *err, size_t err_size) {
  int has_files = o->command == WF_COMMAND_REPLAY || o->command == WF_COMMAND_SANITIZE || o->command == WF_COMMAND_SHRINK ||
                  o->command == WF_COMMAND_SHOW || o->command == WF_COMMAND_CHECK || o->command == WF_COMMAND_EMIT || o->command == WF_COMMAND_AGREE ||
                  o->command == WF_COMMAND_REPORT;
  const char *long_one = NULL;
  for (int i = 0; has_files && i < o->n_operands; i++)
    if (strlen(o->operands[i]) > WF_MAX_PATH_BYTES) long_one = commands[o->command].name;
  if (o->corpus && strlen(o->corpus) > WF_MAX_PATH_BYTES) long_one = "--corpus";
  if (o->output && strlen(o->output) > WF_MAX_PATH_BYTES) long_one = "--output";
  if (o->sources && strlen(o->sources) > WF_MAX_PATH_BYTES) long_one = "--sources";
  if (o->known && strlen(o->known) > WF_MAX_PATH_BYTES) long_one = "--known";
  if (o->suppress && strlen(o->suppress) > WF_MAX_PATH_BYTES) long_one = "--suppress";
  if (o->html && strlen(o->html) > WF_MAX_PATH_BYTES) long_one = "--html";
  if (o->junit && strlen(o->junit) > WF_MAX_PATH_BYTES) long_one = "--junit";
  if (o->sarif && strlen(o->sarif) > WF_MAX_PATH_BYTES) long_one = "--sarif";
  if (o->json_file && strlen(o->json_file) > WF_MAX_PATH_BYTES) long_one = "--json";
  if (long_one) snprintf(err, err_size, "%s takes a path of at most %d bytes", long_one, WF_MAX_PATH_BYTES);
  if (long_one) return -1;
  if (strlen(o->out) <= WF_MAX_OUT_BYTES) return 0;
  snprintf(err, err_size, "--out takes a path of at most %d bytes", WF_MAX_OUT_BYTES);
  return -1;
}

/* What check takes to pieces. 0 or -1. */
static int check_kernel(const WfOptions *o, char *err, size_t err_size) {
  const char *const text[][2] = {{"op", o->op},         {"launch", o->launch}, {"block", o->block},      {"grid", o->grid},
                                 {"shared", o->shared}, {"dims", o->dims},     {"requires", o->requires}, {"owns", o->owns}};
  if (!o->op || !o->launch) {
    snprintf(err, err_size, "check: --%s is missing (warpfuzz check --help)", o->op ? "launch" : "op");
    return -1;
  }
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    if (!text[i][1] || strlen(text[i][1]) <= WF_MAX_KERNEL_TEXT) continue;
    snprintf(err, err_size, "--%s takes at most %d bytes", text[i][0], WF_MAX_KERNEL_TEXT);
    return -1;
  }
  return 0;
}

static int check(const WfOptions *o, char *err, size_t err_size) {
  if (o->help || o->version) return 0;
  if (o->command == WF_COMMAND_NONE) {
    snprintf(err, err_size, "no command (warpfuzz --help lists them)");
    return -1;
  }
  const CommandDesc *c = &commands[o->command];
  if (o->n_operands < c->min || o->n_operands > c->max) {
    snprintf(err, err_size, "%s: too %s operands: warpfuzz %s %s", c->name, o->n_operands < c->min ? "few" : "many",
             c->name, c->operands);
    return -1;
  }
  if (o->command == WF_COMMAND_CHECK && check_kernel(o, err, err_size) != 0) return -1;
  if (o->jobs > WF_MAX_JOBS) {
    snprintf(err, err_size, "--jobs takes at most %d", WF_MAX_JOBS);
    return -1;
  }
  return check_paths(o, err, err_size);
}

int wf_options_parse(WfOptions *out, int argc, char **argv, char *err, size_t err_size) {
  *out = (WfOptions){.program = argc > 0 ? argv[0] : NULL, .command = WF_COMMAND_NONE, .jobs = 1, .repeat = 1, .out = "warpfuzz-out", .cls = SIMT_CLASS_COUNT};
  int only_operands = 0, n = 0;
  wf_allowance_default(&out->allowed);
  for (int i = 1; i < argc;) {
    char *arg = argv[i];
    if (!only_operands && strcmp(arg, "--") == 0) {
      only_operands = 1;
      i++;
    } else if (!only_operands && arg[0] == '-' && arg[1] != '\0') {
      int taken = parse_option(out, argc, argv, i, err, err_size);
      if (taken < 0) return -1;
      i += taken;
    } else if (out->command == WF_COMMAND_NONE) {
      if (take_command(out, arg, err, err_size) != 0) return -1;
      only_operands = out->command == WF_COMMAND_CC; /* a compiler's options, which it reads itself */
      i++;
    } else {
      argv[1 + n++] = arg; /* behind i: the command's own slot is free */
      i++;
    }
  }
  out->operands = (const char *const *)(argv + 1);
  out->n_operands = n;
  return check(out, err, err_size);
}

/* Several lines of help beside one option; the first line goes where the cursor is. */
static void print_help_lines(FILE *out, const char *help) {
  for (const char *line = help;;) {
    const char *end = strchr(line, '\n');
    if (!end) {
      fprintf(out, "%s\n", line);
      return;
    }
    fprintf(out, "%.*s\n%24s", (int)(end - line), line, "");
    line = end + 1;
  }
}

static void print_options(WfCommand command, FILE *out) {
  if (command == WF_COMMAND_CC) return;
  fputs("\nOptions:\n", out);
  for (size_t i = 0; i < N_OPTIONS; i++) {
    const OptionDesc *d = &options[i];
    if (!(d->commands & (1u << command))) continue;
    char left[40];
    const char *brief = brief_of(d->name);
    snprintf(left, sizeof left, "%s%s--%s%s%s", brief, *brief ? ", " : "", d->name, d->argument ? " " : "",
             d->argument ? d->argument : "");
    fprintf(out, "  %-20s  ", left);
    print_help_lines(out, d->help);
  }
}

void wf_options_help(WfCommand command, FILE *out) {
  if (command != WF_COMMAND_NONE) {
    const CommandDesc *c = &commands[command];
    fprintf(out, "Usage: warpfuzz %s %s [option]...\n\n%s.\n%s%s", c->name, c->operands, c->summary, c->notes,
            *c->notes ? "\n" : "");
    print_options(command, out);
    return;
  }
  fputs("Usage: warpfuzz COMMAND [operand | option]...\n\n"
        "Fuzzes CUDA kernels on the CPU and tells whether they are right.\n\nCommands:\n",
        out);
  for (int i = 0; i < (int)WF_COMMAND_NONE; i++) fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].summary);
  fputs("\nwarpfuzz COMMAND --help describes a command, warpfuzz --version prints the version.\n\n"
        "Exit status: 0 clean, 1 findings, 2 wrong usage or unreadable input, 77 nothing to run, 99 failure of\n"
        "warpfuzz itself.\n",
        out);
}
