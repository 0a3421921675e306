/* cc_build.c - the steps of `warpfuzz cc`. CUDA files go through simt-cc, C and C++ to the host compiler. Device code that is to be linked
 * comes together (simt-cc --join) ahead of everything else; a CUDA file that is compiled alone becomes a whole object at once. */
#define _GNU_SOURCE
#include "cc_build.h"
#include "cc_objects.h"
#include "cli.h"
#include "textbuf.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum Sort { CUDA, C, CXX, OBJECT, ARCHIVE, SHARED, UNKNOWN } Sort;

typedef struct Build {
  const WfCcOptions *o;
  const WfToolchain *t;
  char dir[WF_TOOL_PATH]; /* private, for what lies between */
  int n_files;            /* made in it */
  WfArgs device, objects; /* bitcode to be joined; what is linked, in order */
} Build;

static Sort sort_of(const WfCcOptions *o, const char *path) {
  static const struct {
    const char *suffix;
    Sort sort;
  } known[] = {{".cu", CUDA},   {".c", C},       {".cc", CXX},    {".cpp", CXX}, {".cxx", CXX}, {".c++", CXX},
               {".C", CXX},     {".o", OBJECT},  {".obj", OBJECT}, {".a", ARCHIVE}, {".so", SHARED}};
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  Sort sort = strstr(slash ? slash : path, ".so.") ? SHARED : UNKNOWN;
  for (size_t i = 0; dot && i < sizeof known / sizeof *known; i++)
    if (!strcmp(dot, known[i].suffix)) sort = known[i].sort;
  if (sort == OBJECT || sort == ARCHIVE || sort == SHARED || o->language == WF_CC_BY_NAME) return sort;
  return o->language == WF_CC_CUDA ? CUDA : o->language == WF_CC_C ? C : CXX;
}

static int is_source(Sort s) { return s == CUDA || s == C || s == CXX; }

/* ---- running tools ---- */

static void print_command(const WfArgs *a) {
  WfText t = {0};
  for (size_t i = 0; i < a->n; i++) {
    wf_text_add(&t, "%s", i ? " " : "");
    wf_text_add_quoted(&t, a->arg[i]);
  }
  char *line = wf_text_take(&t);
  if (line) fprintf(stderr, "%s\n", line);
  free(line);
}

/* Runs and frees it. A tool that says no has said why. */
static int run(const Build *b, WfArgs *a) {
  if (b->o->verbose || b->o->dry) print_command(a);
  int status = b->o->dry ? 0 : wf_args_run(a, NULL);
  if (status < 0) wf_say("warpfuzz: cc: %s: %s", a->n ? a->arg[0] : "?", strerror(errno));
  if (status > 128) wf_say("warpfuzz: cc: %s ended by signal %d", a->arg[0], status - 128);
  wf_args_free(a);
  return status == 0 ? WF_EXIT_CLEAN : status < 0 || status > 98 ? WF_EXIT_HARNESS : WF_EXIT_USAGE;
}

static void add_all(WfArgs *to, const WfArgs *from) {
  for (size_t i = 0; i < from->n; i++) wf_args_add(to, "%s", from->arg[i]);
  to->failed |= from->failed;
}

/* ---- names ---- */

/* DIR/NAME.SUFFIX of a source; dir NULL: here. */
static void derived(const char *dir, const char *path, const char *suffix, char out[2 * WF_TOOL_PATH]) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  int len = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
  snprintf(out, 2 * WF_TOOL_PATH, "%.4000s%s%.*s%s", dir ? dir : "", dir ? "/" : "", len, name, suffix);
}

static void between(Build *b, const char *suffix, char out[2 * WF_TOOL_PATH]) {
  snprintf(out, 2 * WF_TOOL_PATH, "%s/%d%s", b->dir, b->n_files++, suffix);
}

/* ---- compiling ---- */

/* Where the rules for make go that -MD asks for, and of what they are. */
static void add_dependencies(const Build *b, WfArgs *a, const char *object, int is_host) {
  char file[2 * WF_TOOL_PATH];
  if (!b->o->with_dependencies) return;
  derived(b->o->output_dir, object, ".d", file);
  if (b->o->output && b->o->step == WF_CC_COMPILE) { /* beside the object */
    const char *dot = strrchr(object, '.'), *slash = strrchr(object, '/');
    snprintf(file, sizeof file, "%.*s.d", dot && (!slash || dot > slash) ? (int)(dot - object) : (int)strlen(object), object);
  }
  if (is_host) wf_args_add(a, "-MD");
  wf_args_add(a, "-MF");
  wf_args_add(a, "%s", b->o->dependency_file ? b->o->dependency_file : file);
  wf_args_add(a, "-MT");
  wf_args_add(a, "%s", b->o->dependency_target ? b->o->dependency_target : object);
}

static void begin_simt_cc(const Build *b, WfArgs *a) {
  wf_args_add(a, "%s/simt/simt-cc", b->t->root);
  wf_args_add(a, "-Wno-unknown-warning-option"); /* gcc's */
  add_all(a, &b->o->device);
  if (b->o->fast) wf_args_add_words(a, "--flavor fastmath");
}

/* is_part: its device code is to be linked with that of other files. */
static int compile_cuda(Build *b, const char *path, const char *object, int is_part) {
  WfArgs a = {0};
  begin_simt_cc(b, &a);
  wf_args_add(&a, is_part ? "--pack" : "--yields");
  if (is_part && b->o->relocatable) wf_args_add(&a, "--relocatable");
  add_dependencies(b, &a, object, 0);
  wf_args_add(&a, "-o");
  wf_args_add(&a, "%s", object);
  wf_args_add(&a, "%s", path);
  return run(b, &a);
}

static void begin_host(const Build *b, WfArgs *a, Sort sort) {
  const char *compiler = b->o->host_compiler;
  char path[2 * WF_TOOL_PATH];
  if (compiler) {
    snprintf(path, sizeof path, "%.4000s/%s", compiler, sort == C ? "gcc" : "g++");
    wf_args_add(a, "%s", access(path, X_OK) == 0 ? path : compiler);
  } else {
    wf_args_add(a, "%s", b->t->clang);
    wf_args_add(a, "-Wno-unknown-warning-option");
  }
  wf_args_add(a, "-x");
  wf_args_add(a, sort == C ? "c" : "c++");
  wf_args_add(a, "-DSIMT_HOST_ONLY"); /* for the headers: not compiled by simt-cc */
  wf_args_add(a, "-I");
  wf_args_add(a, "%s/simt/include", b->t->sources);
  wf_args_add(a, "-idirafter");
  wf_args_add(a, "%s/simt/include/samples", b->t->sources);
  add_all(a, &b->o->host);
  if (sort == CXX) add_all(a, &b->o->cxx);
  wf_args_add(a, "-fno-pie");
}

static int compile_host(Build *b, const char *path, Sort sort, const char *object) {
  WfArgs a = {0};
  begin_host(b, &a, sort);
  add_dependencies(b, &a, object, 1);
  wf_args_add_words(&a, "-c -o");
  wf_args_add(&a, "%s", object);
  wf_args_add(&a, "%s", path);
  return run(b, &a);
}

/* -E, to standard output or a file; -M: the preprocessor's rules only. */
static int preprocess(Build *b, const char *path, Sort sort) {
  char text[2 * WF_TOOL_PATH], target[2 * WF_TOOL_PATH];
  const char *out = b->o->output;
  WfArgs a = {0};
  if (sort == CUDA) begin_simt_cc(b, &a);
  else begin_host(b, &a, sort);
  wf_args_add(&a, "-E");
  if (b->o->step == WF_CC_DEPENDENCIES) {
    derived(b->o->output_dir, path, ".o", target);
    between(b, ".i", text);
    if (sort != CUDA) wf_args_add(&a, "-MD");
    wf_args_add(&a, "-MF");
    wf_args_add(&a, "%s", out ? out : "/dev/stdout");
    wf_args_add(&a, "-MT");
    wf_args_add(&a, "%s", b->o->dependency_target ? b->o->dependency_target : target);
    out = text;
  }
  if (out) {
    wf_args_add(&a, "-o");
    wf_args_add(&a, "%s", out);
  }
  wf_args_add(&a, "%s", path);
  return run(b, &a);
}

/* ---- linking ---- */

/* What an object or archive has of device code, to be joined. */
static int unpack(Build *b, const char *path) {
  char err[512];
  int n = b->o->dry ? 0 : wf_cc_unpack(path, b->dir, b->n_files, err, sizeof err);
  if (n < 0) {
    wf_say("warpfuzz: cc: %s", err);
    return -1;
  }
  for (int i = 0; i < n; i++) wf_args_add(&b->device, "%s/%d.bc", b->dir, b->n_files++);
  return n;
}

static int add_file(Build *b, const char *path) {
  char object[2 * WF_TOOL_PATH];
  Sort sort = sort_of(b->o, path);
  int status = WF_EXIT_CLEAN, n = 0;
  if (is_source(sort)) {
    between(b, ".o", object);
    status = sort == CUDA ? compile_cuda(b, path, object, 1) : compile_host(b, path, sort, object);
    path = object;
    if (status) return status;
  }
  if (sort != SHARED && (n = unpack(b, path)) < 0) return WF_EXIT_USAGE;
  if (!n || sort == ARCHIVE) wf_args_add(&b->objects, "%s", path); /* an archive has other members, too */
  return WF_EXIT_CLEAN;
}

/* -lNAME: an archive of that name in a folder of -L. */
static int add_library(Build *b, const char *name) {
  for (size_t i = 0; i < b->o->n_items; i++) {
    const WfCcItem *dir = &b->o->items[i];
    char path[2 * WF_TOOL_PATH];
    if (!dir->is_option || strncmp(dir->text, "-L", 2) != 0) continue;
    snprintf(path, sizeof path, "%.4000s/lib%.4000s.a", dir->text + 2, name);
    if (access(path, R_OK) != 0) continue;
    return unpack(b, path) < 0 ? WF_EXIT_USAGE : WF_EXIT_CLEAN;
  }
  return WF_EXIT_CLEAN;
}

static int add_items(Build *b) {
  int status = WF_EXIT_CLEAN;
  for (size_t i = 0; !status && i < b->o->n_items; i++) {
    const WfCcItem *item = &b->o->items[i];
    if (!item->is_option) {
      status = add_file(b, item->text);
      continue;
    }
    if (!strncmp(item->text, "-l", 2)) status = add_library(b, item->text + 2);
    wf_args_add(&b->objects, "%s", item->text);
  }
  return status;
}

/* All device code as one object, which `link` gets first. */
static int join(Build *b, WfArgs *link) {
  char object[2 * WF_TOOL_PATH];
  WfArgs a = {0};
  if (!b->device.n) return WF_EXIT_CLEAN;
  between(b, ".o", object);
  wf_args_add(&a, "%s/simt/simt-cc", b->t->root);
  wf_args_add_words(&a, "--join --yields -o");
  wf_args_add(&a, "%s", object);
  add_all(&a, &b->device);
  wf_args_add(link, "%s", object);
  return run(b, &a);
}

static int link_program(Build *b) {
  WfArgs a = {0};
  int status = add_items(b);
  if (status) return status;
  wf_args_add_words(&a, b->t->cc);
  wf_args_add(&a, "-o");
  wf_args_add(&a, "%s", b->o->output ? b->o->output : "a.out");
  status = join(b, &a);
  add_all(&a, &b->objects);
  add_all(&a, &b->o->link);
  wf_args_add_words(&a, b->t->flags);
  wf_args_add(&a, "-Wl,-u,wf_program_start");
  wf_args_add(&a, "%s/libwf.a", b->t->root);
  wf_args_add(&a, "%s/simt/libsimt.a", b->t->root);
  wf_args_add(&a, "-Wl,--as-needed");
  wf_args_add_words(&a, b->t->libs);
  if (!status) return run(b, &a);
  wf_args_free(&a);
  return status;
}

/* There is nothing to be linked before the program is: an empty object stands for the result. */
static int link_device(Build *b) {
  WfArgs a = {0};
  wf_args_add(&a, "%s", b->t->clang);
  wf_args_add_words(&a, "-c -x c /dev/null -o");
  wf_args_add(&a, "%s", b->o->output ? b->o->output : "a_dlink.o");
  return run(b, &a);
}

static int compile_file(Build *b, const char *path, const char *object) {
  Sort sort = sort_of(b->o, path);
  return sort == CUDA ? compile_cuda(b, path, object, b->o->relocatable) : compile_host(b, path, sort, object);
}

static int make_library(Build *b) {
  WfArgs a = {0};
  int status = WF_EXIT_CLEAN;
  wf_args_add_words(&a, "ar rcs");
  wf_args_add(&a, "%s", b->o->output ? b->o->output : "a.a");
  for (size_t i = 0; !status && i < b->o->n_items; i++) {
    char object[2 * WF_TOOL_PATH];
    const char *path = b->o->items[i].text;
    if (b->o->items[i].is_option) continue;
    if (is_source(sort_of(b->o, path))) {
      derived(b->dir, path, ".o", object);
      status = compile_file(b, path, object);
      path = object;
    }
    wf_args_add(&a, "%s", path);
  }
  if (!status) return run(b, &a);
  wf_args_free(&a);
  return status;
}

/* Each source by itself. */
static int each_source(Build *b) {
  int status = WF_EXIT_CLEAN;
  for (size_t i = 0; !status && i < b->o->n_items; i++) {
    const char *path = b->o->items[i].text;
    char object[2 * WF_TOOL_PATH];
    if (b->o->items[i].is_option || !is_source(sort_of(b->o, path))) continue;
    derived(b->o->output_dir, path, ".o", object);
    status = b->o->step == WF_CC_COMPILE ? compile_file(b, path, b->o->output ? b->o->output : object)
                                         : preprocess(b, path, sort_of(b->o, path));
  }
  return status;
}

/* ---- all of it ---- */

static int check(const WfCcOptions *o) {
  int n_sources = 0, n_files = 0;
  for (size_t i = 0; i < o->n_items; i++) {
    const char *path = o->items[i].text;
    if (o->items[i].is_option) continue;
    Sort sort = sort_of(o, path);
    n_files++;
    n_sources += is_source(sort);
    if (sort == UNKNOWN) wf_say("warpfuzz: cc: %s: what it is, its name does not tell (-x does)", path);
    else if (access(path, R_OK) != 0) wf_say("warpfuzz: cc: %s: %s", path, strerror(errno));
    else continue;
    return WF_EXIT_USAGE;
  }
  if (!n_files) return wf_usage("cc: no input files");
  if (n_sources > 1 && o->output && (o->step == WF_CC_COMPILE || o->step == WF_CC_PREPROCESS))
    return wf_usage("cc: -o with several files that are not linked");
  return WF_EXIT_CLEAN;
}

static int run_program(Build *b) {
  const char *path = b->o->output ? b->o->output : "a.out";
  WfArgs a = {0};
  wf_args_add(&a, "%s%s", strchr(path, '/') ? "" : "./", path);
  add_all(&a, &b->o->run_args);
  if (b->o->dry) return run(b, &a);
  int status = wf_args_run(&a, NULL);
  wf_args_free(&a);
  if (status < 0) wf_say("warpfuzz: cc: %s: %s", path, strerror(errno));
  return status < 0 ? WF_EXIT_HARNESS : status;
}

static int build(Build *b) {
  switch (b->o->step) {
  case WF_CC_LINK: {
    int status = link_program(b);
    return !status && b->o->run ? run_program(b) : status;
  }
  case WF_CC_DEVICE_LINK: return link_device(b);
  case WF_CC_LIBRARY: return make_library(b);
  case WF_CC_COMPILE:
  case WF_CC_PREPROCESS:
  case WF_CC_DEPENDENCIES: return each_source(b);
  }
  return WF_EXIT_HARNESS;
}

static void remove_folder(const char *dir) {
  DIR *d = opendir(dir);
  for (struct dirent *e; d && (e = readdir(d));)
    if (e->d_name[0] != '.') unlinkat(dirfd(d), e->d_name, 0);
  if (d) closedir(d);
  rmdir(dir);
}

int wf_cc_build(const WfCcOptions *o, const WfToolchain *t) {
  Build b = {.o = o, .t = t};
  const char *base = getenv("TMPDIR");
  int status = check(o);
  if (status) return status;
  snprintf(b.dir, sizeof b.dir, "%.3000s/warpfuzz-cc.XXXXXX", base && *base ? base : "/tmp");
  if (!mkdtemp(b.dir)) {
    wf_say("warpfuzz: cc: %s: %s", b.dir, strerror(errno));
    return WF_EXIT_HARNESS;
  }
  status = build(&b);
  remove_folder(b.dir);
  wf_args_free(&b.device);
  wf_args_free(&b.objects);
  return status;
}
