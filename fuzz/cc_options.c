/* cc_options.c - nvcc's options. Those of `nvcc --help` are all known; what is about GPU code alone is ignored, and said so. */
#define _GNU_SOURCE
#include "cc_options.h"
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Kind {
  IGNORED,     /* it changes nothing here */
  NOTED,       /* it is about GPU code */
  REFUSED,     /* its result is GPU code */
  FLAG,        /* an int of WfCcOptions */
  TRUTH,       /* likewise, by "true" or "false" */
  TEXT,
  STEP,
  RELOCATABLE, /* -dc: a step too */
  EVERY,       /* to both compilers, behind `prefix` */
  HOST,        /* to the host compiler alone */
  STANDARD,
  LANGUAGE,
  STREAM,
  COMPILER,    /* -Xcompiler */
  LINKER,      /* -Xlinker */
  ITEM,        /* -l, -L */
  RUN_ARGS,
  FILE_OF_OPTIONS
} Kind;

typedef enum Value { NONE, ONE, LIST } Value; /* LIST: several, between commas */

typedef struct Option {
  const char *name, *brief; /* without the dashes in front */
  Value value;
  Kind kind;
  const char *prefix;
  int number;   /* of STEP: WfCcStep */
  size_t field; /* of FLAG, TRUTH, TEXT */
} Option;

#define FIELD(member) .field = offsetof(WfCcOptions, member)

static const Option options[] = {
#define WF_CC_OPTION(long_name, brief_name, takes, what, ...) {.name = long_name, .brief = brief_name, .value = takes, .kind = what, __VA_ARGS__},
#include "cc_options.def"
};

enum { N_OPTIONS = sizeof options / sizeof *options, MAX_NESTING = 8 /* of files of options */ };

typedef struct Parser {
  WfCcOptions *o;
  char *err;
  size_t err_size;
  int nesting;
} Parser;

__attribute__((format(printf, 2, 3))) static int fail(Parser *p, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(p->err, p->err_size, format, args);
  va_end(args);
  return -1;
}

/* ---- single values ---- */

static const char *keep(WfCcOptions *o, const char *prefix, const char *text) {
  wf_args_add(&o->texts, "%s%s", prefix, text);
  return o->texts.failed ? "" : o->texts.arg[o->texts.n - 1];
}

static void add_item(WfCcOptions *o, int is_option, const char *text) {
  WfCcItem *more = realloc(o->items, (o->n_items + 1) * sizeof *more);
  o->texts.failed |= !more;
  if (!more) return;
  o->items = more;
  o->items[o->n_items++] = (WfCcItem){is_option, text};
}

static void note(WfCcOptions *o, const char *brief) {
  for (size_t i = 0; i < o->noted.n; i++)
    if (strcmp(o->noted.arg[i] + 1, brief) == 0) return;
  wf_args_add(&o->noted, "-%s", brief);
}

/* A prefix that ends in a newline is an argument of its own. */
static void add_prefixed(WfArgs *a, const char *prefix, const char *value) {
  size_t n = strcspn(prefix, "\n");
  if (prefix[n]) wf_args_add(a, "%.*s", (int)n, prefix);
  wf_args_add(a, "%s%s", prefix[n] ? "" : prefix, value);
}

static void add_both(WfCcOptions *o, const char *prefix, const char *value) {
  add_prefixed(&o->device, prefix, value);
  add_prefixed(&o->host, prefix, value);
}

/* Of what is meant for the host compiler, simt-cc gets what does not touch code: flags for arithmetic would change the kernels'. */
static void take_compiler(WfCcOptions *o, const char *value) {
  static const char *const shared[] = {"-D", "-U", "-I", "-W"};
  if (!strncmp(value, "-Wl,", 4) || !strncmp(value, "-Wa,", 4)) {
    add_item(o, 1, keep(o, "", value));
    return;
  }
  for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
    if (!strncmp(value, shared[i], 2) && strcmp(value, "-Werror") != 0) wf_args_add(&o->device, "%s", value);
  wf_args_add(&o->host, "%s", value);
  if (!strncmp(value, "-f", 2) || !strncmp(value, "-pthread", 8) || !strncmp(value, "-static", 7)) wf_args_add(&o->link, "%s", value);
}

/* Libraries of the toolkit whose functions the engine's library has, and those that are linked beside them. */
static int is_runtime(const char *library) {
  static const char *const names[] = {"cuda",          "cudart",   "cudart_static",   "cudadevrt", "nvToolsExt", "culibos", "cublas",
                                      "cublas_static", "cublasLt", "cublasLt_static", "curand",    "curand_static"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(library, names[i])) return 1;
  return 0;
}

static int take_truth(Parser *p, const Option *d, const char *value) {
  int is_true = !strcmp(value, "true");
  if (!is_true && strcmp(value, "false") != 0) return fail(p, "-%s takes true or false, not '%.64s'", d->brief, value);
  *(int *)((char *)p->o + d->field) = is_true;
  return 0;
}

static int take_language(Parser *p, const char *value) {
  static const char *const names[] = {"", "c", "c++", "cu"};
  for (int i = WF_CC_C; i <= WF_CC_CUDA; i++)
    if (!strcmp(value, names[i])) {
      p->o->language = (WfCcLanguage)i;
      return 0;
    }
  return fail(p, "-x takes c, c++ or cu, not '%.64s'", value);
}

static int take_standard(Parser *p, const char *value) {
  static const char *const names[] = {"c++03", "c++11", "c++14", "c++17", "c++20", "c++23"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcmp(value, names[i]) != 0) continue;
    wf_args_add(&p->o->device, "-std=%s", i < 2 ? "c++14" : value); /* the headers' floor */
    wf_args_add(&p->o->cxx, "-std=%s", value);
    return 0;
  }
  return fail(p, "-std takes c++03, c++11, c++14, c++17, c++20 or c++23, not '%.64s'", value);
}

static int parse(Parser *p, int n, const char *const *args);

/* The next word, as a shell would read it, without expansions. 1; 0: there is none. */
static int read_word(FILE *f, char *word, size_t size) {
  size_t len = 0;
  int quote = 0, has_word = 0, c;
  while ((c = getc(f)) != EOF) {
    if (!quote && strchr(" \t\r\n", c)) {
      if (has_word) break;
      continue;
    }
    has_word = 1;
    if (quote ? c == quote : c == '"' || c == '\'') {
      quote = quote ? 0 : c;
      continue;
    }
    if (c == '\\' && quote != '\'' && (c = getc(f)) == EOF) break;
    if (len < size - 1) word[len++] = (char)c;
  }
  word[len] = '\0';
  return has_word;
}

static int take_file(Parser *p, const char *path) {
  FILE *f = p->nesting < MAX_NESTING ? fopen(path, "r") : NULL;
  if (!f) return fail(p, "-optf: %.300s: %s", path, p->nesting < MAX_NESTING ? strerror(errno) : "files of options go too deep");
  char word[WF_TOOL_PATH];
  const char **words = NULL;
  int n = 0, rc = 0;
  while (!rc && read_word(f, word, sizeof word)) {
    const char **more = realloc(words, ((size_t)n + 1) * sizeof *more);
    if (!more) rc = fail(p, "out of memory");
    if (more) words = more, words[n++] = keep(p->o, "", word);
  }
  fclose(f);
  p->nesting++;
  if (!rc) rc = parse(p, n, words);
  p->nesting--;
  free(words);
  return rc;
}

/* One value of an option; "" if it has none. 0 or -1. */
static int store(Parser *p, const Option *d, const char *value) {
  WfCcOptions *o = p->o;
  void *field = (char *)o + d->field;
  switch (d->kind) {
  case IGNORED: return 0;
  case NOTED: note(o, d->brief); return 0;
  case REFUSED: return fail(p, "-%s is not supported: programs are made for the engine", d->brief);
  case FLAG: *(int *)field = 1; return 0;
  case TRUTH: return take_truth(p, d, value);
  case TEXT: *(const char **)field = value; return 0;
  case STEP: o->step = (WfCcStep)d->number; return 0;
  case RELOCATABLE:
    o->step = WF_CC_COMPILE;
    o->relocatable = d->number;
    return 0;
  case EVERY: add_both(o, d->prefix, value); return 0;
  case HOST: wf_args_add(&o->host, "%s%s", d->prefix, value); return 0;
  case STANDARD: return take_standard(p, value);
  case LANGUAGE: return take_language(p, value);
  case STREAM:
    if (strcmp(value, "legacy") != 0 && strcmp(value, "null") != 0)
      return fail(p, "-default-stream %.64s is not supported: the default stream is the legacy one", value);
    return 0;
  case COMPILER: take_compiler(o, value); return 0;
  case LINKER: add_item(o, 1, keep(o, "-Wl,", value)); return 0;
  case ITEM:
    if (d->prefix[1] == 'L' || !is_runtime(value)) add_item(o, 1, keep(o, d->prefix, value));
    return 0;
  case RUN_ARGS: wf_args_add(&o->run_args, "%s", value); return 0;
  case FILE_OF_OPTIONS: return take_file(p, value);
  }
  return 0;
}

/* Several values between commas, of -Xcompiler between blanks too; a comma behind a backslash is none, nor are those of -Wl,... */
static int store_list(Parser *p, const Option *d, const char *values) {
  const char *ends = d->kind != COMPILER ? "," : !strncmp(values, "-Wl,", 4) || !strncmp(values, "-Wa,", 4) ? " " : ", ";
  char *value = strdup(values);
  int rc = value ? 0 : fail(p, "out of memory");
  for (const char *at = values; value && !rc && *at;) {
    size_t n = 0;
    for (; *at && !strchr(ends, *at); at++) {
      if (at[0] == '\\' && at[1] == ',') at++;
      value[n++] = *at;
    }
    value[n] = '\0';
    if (*at) at++;
    if (n) rc = store(p, d, keep(p->o, "", value));
  }
  free(value);
  return rc;
}

/* ---- options ---- */

static const Option *find(const char *name, size_t len) {
  for (size_t i = 0; i < N_OPTIONS; i++) {
    const Option *d = &options[i];
    if ((strlen(d->name) == len && !memcmp(d->name, name, len)) || (strlen(d->brief) == len && !memcmp(d->brief, name, len))) return d;
  }
  return NULL;
}

/* "-Iinclude", "-O3": a letter and its value. */
static const Option *find_attached(const char *arg) {
  return arg[1] && strchr("DUILlOmt", arg[1]) && arg[2] ? find(arg + 1, 1) : NULL;
}

/* One option; how many arguments it took, or -1. */
static int take_option(Parser *p, int n, const char *const *args) {
  const char *arg = args[0], *name = arg + (arg[1] == '-' ? 2 : 1), *equals = strchr(name, '='), *value = "";
  const Option *d = find(name, equals ? (size_t)(equals - name) : strlen(name));
  int taken = 1;
  if (d && d->value == NONE && equals) return fail(p, "-%s takes no value", d->brief);
  if (d && d->value != NONE) {
    if (!equals && n < 2) return fail(p, "-%s needs a value", d->brief);
    value = equals ? equals + 1 : args[taken++];
  } else if (!d && (d = find_attached(arg)) != NULL) {
    value = arg + 2;
  }
  if (!d && p->o->forward) {
    take_compiler(p->o, arg);
    return 1;
  }
  if (!d && !strncmp(arg, "-W", 2)) { /* the host compiler's, which nvcc does not know */
    add_both(p->o, "", arg);
    return 1;
  }
  if (!d) return fail(p, "unknown option '%.64s'", arg);
  return (d->value == LIST ? store_list(p, d, value) : store(p, d, value)) ? -1 : taken;
}

static int parse(Parser *p, int n, const char *const *args) {
  for (int i = 0; i < n;) {
    int taken = 1;
    if (args[i][0] == '-' && args[i][1]) taken = take_option(p, n - i, args + i);
    else add_item(p->o, 0, args[i]);
    if (taken < 0) return -1;
    i += taken;
  }
  return 0;
}

int wf_cc_options_parse(WfCcOptions *out, int n, const char *const *args, char *err, size_t err_size) {
  *out = (WfCcOptions){0};
  Parser p = {out, err, err_size, 0};
  if (parse(&p, n, args)) return -1;
  const WfArgs *const all[] = {&out->device, &out->host, &out->cxx, &out->link, &out->run_args, &out->noted, &out->texts};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i]->failed) return fail(&p, "out of memory");
  return 0;
}

void wf_cc_options_free(WfCcOptions *o) {
  WfArgs *const all[] = {&o->device, &o->host, &o->cxx, &o->link, &o->run_args, &o->noted, &o->texts};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) wf_args_free(all[i]);
  free(o->items);
  *o = (WfCcOptions){0};
}
