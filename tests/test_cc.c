/* test_cc.c - warpfuzz cc: nvcc's options in all their spellings, objects and archives with device code. */
#define _GNU_SOURCE
#include "../fuzz/cc_objects.h"
#include "../fuzz/cc_options.h"
#include "suite.h"
#include "work_dir.h"
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static WfCcOptions o;
static char err[512], dir[WORK_DIR_MAX];

enum { MAX_ARGS = 64 };

/* Parses words between blanks. */
static int parse(const char *line) {
  static char words[4096];
  const char *args[MAX_ARGS];
  int n = 0;
  wf_cc_options_free(&o);
  ck_assert_uint_lt(strlen(line), sizeof words);
  strcpy(words, line);
  for (char *w = strtok(words, " "); w; w = strtok(NULL, " ")) args[n++] = w;
  return wf_cc_options_parse(&o, n, args, err, sizeof err);
}

static void accept(const char *line) {
  int rc = parse(line);
  ck_assert_msg(rc == 0, "%s: %s", line, err);
}

static void refuse(const char *line, const char *message) {
  ck_assert_msg(parse(line) == -1, "%s is accepted", line);
  ck_assert_msg(strcmp(err, message) == 0, "%s: '%s' instead of '%s'", line, err, message);
}

static const char *joined(const WfArgs *a) {
  static char text[4096];
  text[0] = '\0';
  for (size_t i = 0; i < a->n; i++) {
    if (i) strcat(text, " ");
    strcat(text, a->arg[i]);
  }
  return text;
}

static const char *items(void) {
  static char text[4096];
  text[0] = '\0';
  for (size_t i = 0; i < o.n_items; i++) {
    strcat(text, i ? " " : "");
    strcat(text, o.items[i].is_option ? "+" : "");
    strcat(text, o.items[i].text);
  }
  return text;
}

START_TEST(spellings) {
  static const char *const same[] = {"-o prog", "-o=prog", "--output-file prog", "--output-file=prog", "-output-file prog"};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    accept(same[i]);
    ck_assert_str_eq(o.output, "prog");
    ck_assert_uint_eq(o.n_items, 0);
  }
  static const char *const defines[] = {"-DA=1 -DB", "-D A=1 -D B", "-DA=1,B", "--define-macro A=1 --define-macro=B"};
  for (size_t i = 0; i < sizeof defines / sizeof *defines; i++) {
    accept(defines[i]);
    ck_assert_str_eq(joined(&o.device), "-DA=1 -DB");
    ck_assert_str_eq(joined(&o.host), "-DA=1 -DB");
  }
  accept("-Iinc -I other -isystem /usr/x -U N -include a.h,b.h");
  ck_assert_str_eq(joined(&o.device), "-Iinc -Iother -I/usr/x -UN -include a.h -include b.h");
  accept("-std=c++14 a.cu");
  ck_assert_str_eq(joined(&o.device), "-std=c++14");
  ck_assert_str_eq(joined(&o.cxx), "-std=c++14");
  accept("--std c++11");
  ck_assert_str_eq(joined(&o.device), "-std=c++14");
  ck_assert_str_eq(joined(&o.cxx), "-std=c++11");
  accept("-x cu a.c");
  ck_assert_int_eq(o.language, WF_CC_CUDA);
}
END_TEST

START_TEST(steps) {
  static const struct {
    const char *line;
    WfCcStep step;
    int relocatable;
  } rows[] = {{"a.cu", WF_CC_LINK, 0},      {"-c a.cu", WF_CC_COMPILE, 0},          {"-dc a.cu", WF_CC_COMPILE, 1},
              {"-rdc=true -c a.cu", WF_CC_COMPILE, 1}, {"-rdc true a.cu", WF_CC_LINK, 1}, {"--relocatable-device-code=false a.cu", WF_CC_LINK, 0},
              {"-dlink a.o", WF_CC_DEVICE_LINK, 0},  {"-lib a.o", WF_CC_LIBRARY, 0}, {"-E a.cu", WF_CC_PREPROCESS, 0},
              {"-M a.cu", WF_CC_DEPENDENCIES, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    accept(rows[i].line);
    ck_assert_int_eq(o.step, rows[i].step);
    ck_assert_int_eq(o.relocatable, rows[i].relocatable);
  }
  accept("-use_fast_math -MD -run a.cu");
  ck_assert(o.fast && o.with_dependencies && o.run);
}
END_TEST

/* Those of nvcc that a GPU wants, in the forms that build files have. */
START_TEST(gpu_options) {
  accept("-arch=sm_80 -gencode arch=compute_90,code=sm_90 --generate-code=arch=compute_80,code=[sm_80,compute_80] -arch sm_90 "
         "-Xptxas -v,-dlcm=ca --ptxas-options=-v -maxrregcount=64 -fmad=false -ftz true -lineinfo -G a.cu");
  ck_assert_str_eq(joined(&o.noted), "-arch -gencode -Xptxas -maxrregcount -fmad -ftz");
  ck_assert_str_eq(items(), "a.cu");
  accept("--expt-relaxed-constexpr --extended-lambda -expt-extended-lambda -m64 -t 4 -t4 --threads=2 -cudart static -Werror all-warnings "
         "-diag-suppress 177,20012 -Wno-deprecated-gpu-targets a.cu");
  ck_assert_str_eq(items(), "a.cu");
  ck_assert_uint_eq(o.noted.n, 0);
}
END_TEST

START_TEST(other_tools) {
  accept("-Xcompiler -O3,-Wall -Xcompiler=-DX,-march=native,-fopenmp --compiler-options -fPIC -O2 -g -w a.cu");
  ck_assert_str_eq(joined(&o.device), "-Wall -DX -Wno-everything"); /* what may change arithmetic is not for kernels */
  ck_assert_str_eq(joined(&o.host), "-O3 -Wall -DX -march=native -fopenmp -fPIC -O2 -g -Wno-everything");
  ck_assert_str_eq(joined(&o.link), "-fopenmp -fPIC");
  accept("a.o -Llib -L /x -lfoo,bar -lcudart -l cuda -lcudadevrt -lcublas -lcublasLt -lcurand b.o -Xlinker -rpath,/y -Xcompiler -Wl,-s");
  ck_assert_str_eq(items(), "a.o +-Llib +-L/x +-lfoo +-lbar b.o +-Wl,-rpath +-Wl,/y +-Wl,-s");
  accept("-Xcompiler \"-Wa\\,b\"");
  accept("-Wextra-semi a.cu");
  ck_assert_str_eq(joined(&o.host), "-Wextra-semi");
  accept("-forward-unknown-to-host-compiler -fvisibility=hidden a.cpp");
  ck_assert_str_eq(joined(&o.host), "-fvisibility=hidden");
  accept("-run -run-args a,b a.cu");
  ck_assert_str_eq(joined(&o.run_args), "a b");
}
END_TEST

START_TEST(refusals) {
  refuse("-no-such a.cu", "unknown option '-no-such'");
  refuse("--no-such=3", "unknown option '--no-such=3'");
  refuse("a.cu -o", "-o needs a value");
  refuse("-lineinfo=3", "-lineinfo takes no value");
  refuse("-rdc=maybe", "-rdc takes true or false, not 'maybe'");
  refuse("-std=c++98", "-std takes c++03, c++11, c++14, c++17, c++20 or c++23, not 'c++98'");
  refuse("-x fortran", "-x takes c, c++ or cu, not 'fortran'");
  refuse("-ptx a.cu", "-ptx is not supported: programs are made for the engine");
  refuse("-default-stream per-thread", "-default-stream per-thread is not supported: the default stream is the legacy one");
  accept("-default-stream=legacy");
}
END_TEST

static void put(const char *name, const void *data, size_t n, char path[WORK_PATH_MAX]) {
  snprintf(path, WORK_PATH_MAX, "%s/%s", dir, name);
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  ck_assert_uint_eq(fwrite(data, 1, n, f), n);
  ck_assert_int_eq(fclose(f), 0);
}

START_TEST(files_of_options) {
  char path[WORK_PATH_MAX], line[2 * WORK_PATH_MAX];
  static const char text[] = "-I \"a b\" -DN='x y'\n\t--std=c++20 k.cu\\ 2 ''";
  put("options", text, sizeof text - 1, path);
  snprintf(line, sizeof line, "-optf %s b.cu", path);
  accept(line);
  ck_assert_str_eq(joined(&o.device), "-Ia b -DN=x y -std=c++20");
  ck_assert_str_eq(items(), "k.cu 2  b.cu");
  put("again", line, strlen(line), path);
  snprintf(line, sizeof line, "-optf %s", path);
  put("again", line, strlen(line), path); /* itself */
  ck_assert_int_eq(parse(line), -1);
  ck_assert_ptr_nonnull(strstr(err, "files of options go too deep"));
  ck_assert_int_eq(parse("-optf /no/such/file"), -1);
  ck_assert_str_eq(err, "-optf: /no/such/file: No such file or directory");
}
END_TEST

/* An object with one section of that name and content. */
static size_t make_object(unsigned char *to, const char *section, const char *content) {
  static const char names[] = "\0.strtab";
  size_t n = sizeof(Elf64_Ehdr), at_content = n, at_names;
  memcpy(to + n, content, strlen(content));
  at_names = n += strlen(content);
  memcpy(to + n, names, sizeof names);
  n += sizeof names;
  strcpy((char *)to + n, section);
  n = (n + strlen(section) + 1 + 7) / 8 * 8;
  Elf64_Ehdr head = {.e_ident = ELFMAG "\2\1\1", .e_type = ET_REL, .e_machine = EM_X86_64, .e_shoff = n, .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 3, .e_shstrndx = 1};
  Elf64_Shdr sections[3] = {{0},
                            {.sh_name = 1, .sh_type = SHT_STRTAB, .sh_offset = at_names, .sh_size = n - at_names},
                            {.sh_name = sizeof names, .sh_type = SHT_PROGBITS, .sh_offset = at_content, .sh_size = strlen(content)}};
  memcpy(to, &head, sizeof head);
  memcpy(to + n, sections, sizeof sections);
  return n + sizeof sections;
}

static void holds(const char *name, const char *wanted) {
  char path[WORK_PATH_MAX], text[64] = "";
  snprintf(path, sizeof path, "%s/%s", dir, name);
  FILE *f = fopen(path, "r");
  ck_assert_msg(f != NULL, "%s is not there", name);
  size_t n = fread(text, 1, sizeof text - 1, f);
  fclose(f);
  text[n] = '\0';
  ck_assert_str_eq(text, wanted);
}

START_TEST(device_code) {
  unsigned char object[1024] = {0};
  char path[WORK_PATH_MAX];
  size_t n = make_object(object, ".simt.bitcode", "one");
  put("a.o", object, n, path);
  ck_assert_int_eq(wf_cc_unpack(path, dir, 5, err, sizeof err), 1);
  holds("5.bc", "one");
  memset(object, 0, sizeof object);
  n = make_object(object, ".simt.bitcode2", "one");
  put("b.o", object, n, path);
  ck_assert_int_eq(wf_cc_unpack(path, dir, 6, err, sizeof err), 0);
  put("empty.o", "", 0, path);
  ck_assert_int_eq(wf_cc_unpack(path, dir, 6, err, sizeof err), 0);
  put("text.o", "INPUT(a.o)", 10, path);
  ck_assert_int_eq(wf_cc_unpack(path, dir, 6, err, sizeof err), 0);
  ck_assert_int_eq(wf_cc_unpack(dir, dir, 6, err, sizeof err), 0);
  ck_assert_int_eq(wf_cc_unpack("/no/such.o", dir, 6, err, sizeof err), -1);
  ck_assert_str_eq(err, "/no/such.o: No such file or directory");
}
END_TEST

/* Headers of any damage are read within the file. */
START_TEST(damaged_objects) {
  unsigned char object[1024] = {0};
  char path[WORK_PATH_MAX];
  size_t n = make_object(object, ".simt.bitcode", "one");
  for (size_t at = 0; at < n; at++) {
    unsigned char kept = object[at];
    object[at] ^= 0xff;
    put("a.o", object, n, path);
    ck_assert_int_ge(wf_cc_unpack(path, dir, 0, err, sizeof err), 0);
    object[at] = kept;
    put("a.o", object, at, path);
    ck_assert_int_ge(wf_cc_unpack(path, dir, 0, err, sizeof err), 0);
  }
}
END_TEST

static size_t add_member(unsigned char *to, const char *name, const void *data, size_t n) {
  char head[61];
  snprintf(head, sizeof head, "%-16s%-12d%-6d%-6d%-8d%-10zu`\n", name, 0, 0, 0, 644, n);
  memcpy(to, head, 60);
  memcpy(to + 60, data, n);
  to[60 + n] = '\n';
  return 60 + n + (n & 1);
}

START_TEST(archives) {
  unsigned char object[1024] = {0}, archive[4096] = "!<arch>\n";
  char path[WORK_PATH_MAX];
  size_t n = 8, size;
  n += add_member(archive + n, "/", "symbols", 7);
  size = make_object(object, ".simt.bitcode", "one");
  n += add_member(archive + n, "a.o/", object, size);
  n += add_member(archive + n, "text/", "text", 4);
  memset(object, 0, sizeof object);
  size = make_object(object, ".simt.bitcode", "two2");
  n += add_member(archive + n, "b.o/", object, size);
  put("lib.a", archive, n, path);
  ck_assert_int_eq(wf_cc_unpack(path, dir, 1, err, sizeof err), 2);
  holds("1.bc", "one");
  holds("2.bc", "two2");
  for (size_t cut = 9; cut < n; cut += 7) {
    put("lib.a", archive, cut, path);
    int got = wf_cc_unpack(path, dir, 3, err, sizeof err);
    ck_assert(got == -1 ? strstr(err, "lib.a: the archive is damaged") != NULL : got >= 0 && got < 2);
  }
}
END_TEST

static void setup(void) { work_dir_make(dir); }

static void teardown(void) {
  wf_cc_options_free(&o);
  work_dir_remove(dir);
}

int main(void) {
  Suite *s = suite_create("cc");
  TCase *t = tcase_create("cc");
  tcase_add_checked_fixture(t, setup, teardown);
  tcase_add_test(t, spellings);
  tcase_add_test(t, steps);
  tcase_add_test(t, gpu_options);
  tcase_add_test(t, other_tools);
  tcase_add_test(t, refusals);
  tcase_add_test(t, files_of_options);
  tcase_add_test(t, device_code);
  tcase_add_test(t, damaged_objects);
  tcase_add_test(t, archives);
  suite_add_tcase(s, t);
  return suite_run(s);
}
