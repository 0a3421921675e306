/* rewrite_main.c - the program simt-rewrite, the first step of simt-cc.
 * Exit status: 0; 2: usage, unreadable input or source that cannot be rewritten; 99: no memory, output not written. */
#define _POSIX_C_SOURCE 200809L
#include "rewrite.h"
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { STATUS_USAGE = 2, STATUS_HARNESS = 99 };

static const char usage[] = "usage: simt-rewrite [-o OUT] [--name NAME] [--meant LIST] [--moves LIST] [--drop-main] [--dirs LIST] FILE\n"
                            "Rewrites launch statements and shared declarations of CUDA source to C++.\n"
                            "  -o OUT       write to OUT instead of standard output\n"
                            "  --name NAME  call the source NAME in #line and messages (default: FILE)\n"
                            "  --meant LIST append the races that comments say are meant to LIST\n"
                            "  --moves LIST append to LIST which text has moved within the lines\n"
                            "  --drop-main  leave out what main() does\n"
                            "  --dirs LIST  folders of headers, a line each: what is there is the user's own\n"
                            "FILE may be - for standard input.\n";

/* 0, -1 with errno set. */
static int read_stream(FILE *f, char **text, size_t *len) {
  size_t cap = 1 << 16, n;
  *len = 0;
  if (!(*text = malloc(cap)))
    return -1;
  while ((n = fread(*text + *len, 1, cap - *len - 1, f)) > 0) {
    *len += n;
    if (*len + 1 == cap) {
      char *more = realloc(*text, cap *= 2);
      if (!more)
        return -1;
      *text = more;
    }
  }
  (*text)[*len] = '\0';
  return ferror(f) ? -1 : 0;
}

static int read_file(const char *path, char **text, size_t *len) {
  if (strcmp(path, "-") == 0)
    return read_stream(stdin, text, len);
  FILE *f = fopen(path, "rb");
  if (!f)
    return -1;
  int rc = read_stream(f, text, len), saved = errno;
  fclose(f);
  errno = saved;
  return rc;
}

/* A file that could not be written whole is removed; a device is not. */
static void remove_regular(const char *path) {
  struct stat st;
  if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
    remove(path);
}

static int write_file(const char *path, const char *text, size_t len) {
  FILE *f = path ? fopen(path, "wb") : stdout;
  if (!f)
    return -1;
  size_t n = fwrite(text, 1, len, f);
  int bad = n != len || fflush(f) != 0, saved = errno;
  if (path) {
    if (fclose(f) != 0 && !bad) {
      bad = 1;
      saved = errno;
    }
    if (bad)
      remove_regular(path);
  }
  errno = saved;
  return bad ? -1 : 0;
}

/* 0 or a status. */
static int append_lines(const char *lines, const char *path) {
  FILE *f = *lines ? fopen(path, "a") : NULL;
  int bad = *lines && (!f || fputs(lines, f) < 0);
  if (f)
    bad |= fclose(f) != 0;
  if (bad)
    fprintf(stderr, "simt-rewrite: %s: %s\n", path, strerror(errno));
  return bad ? STATUS_HARNESS : 0;
}

/* Appends what the source says about meant races. 0 or a status. */
static int list_meant(const char *text, size_t len, const char *name, const char *path) {
  char *lines = NULL, err[4096];
  int rc = simt_rewrite_meant(text, len, name, &lines, err, sizeof err);
  if (rc) {
    fprintf(stderr, "%s\n", err);
    return rc == -1 ? STATUS_USAGE : STATUS_HARNESS;
  }
  int status = append_lines(lines, path);
  free(lines);
  return status;
}

typedef struct Arguments {
  const char *path, *name, *out_path, *meant_path, *moves_path, *dirs_path; /* NULL: not given, but for path */
  int drop_main;
} Arguments;

/* 0 or a status. *text ends in a NUL. */
static int read_or_say(const char *path, char **text, size_t *len) {
  if (!read_file(path, text, len))
    return 0;
  fprintf(stderr, "simt-rewrite: %s: %s\n", path, strerror(errno));
  return STATUS_USAGE;
}

static int rewrite_file(const Arguments *a) {
  char *text = NULL, *dirs = NULL, *out = NULL, *moves = NULL, err[4096];
  const char *name = a->name ? a->name : a->path;
  size_t len = 0, out_len = 0;
  int status = read_or_say(a->path, &text, &len), rc;
  if (!status && a->dirs_path)
    status = read_or_say(a->dirs_path, &dirs, &(size_t){0});
  if (status)
    goto out;
  if (a->drop_main && simt_drop_main(text, len) != 0) {
    fprintf(stderr, "%s: out of memory\n", name);
    status = STATUS_HARNESS;
  } else if ((rc = simt_rewrite_moves(text, len, name, dirs, &out, &out_len, &moves, err, sizeof err)) != 0) {
    fprintf(stderr, "%s\n", err);
    status = rc == -1 ? STATUS_USAGE : STATUS_HARNESS;
  } else if (write_file(a->out_path, out, out_len)) {
    fprintf(stderr, "simt-rewrite: %s: %s\n", a->out_path ? a->out_path : "standard output", strerror(errno));
    status = STATUS_HARNESS;
  } else {
    if (a->meant_path)
      status = list_meant(text, len, name, a->meant_path);
    if (!status && a->moves_path)
      status = append_lines(moves, a->moves_path);
  }
out:
  free(text);
  free(dirs);
  free(moves);
  free(out);
  return status;
}

int main(int argc, char **argv) {
  static const struct option options[] = {{"name", required_argument, NULL, 'n'},
                                          {"meant", required_argument, NULL, 'm'},
                                          {"moves", required_argument, NULL, 'M'},
                                          {"drop-main", no_argument, NULL, 'd'},
                                          {"dirs", required_argument, NULL, 'D'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
  Arguments a = {0};
  for (int c; (c = getopt_long(argc, argv, "o:", options, NULL)) != -1;) {
    switch (c) {
    case 'n':
      a.name = optarg;
      break;
    case 'm':
      a.meant_path = optarg;
      break;
    case 'M':
      a.moves_path = optarg;
      break;
    case 'D':
      a.dirs_path = optarg;
      break;
    case 'd':
      a.drop_main = 1;
      break;
    case 'o':
      a.out_path = optarg;
      break;
    case 'h':
      fputs(usage, stdout);
      return 0;
    default:
      fputs(usage, stderr);
      return STATUS_USAGE;
    }
  }
  if (optind + 1 != argc) {
    fputs(usage, stderr);
    return STATUS_USAGE;
  }
  a.path = argv[optind];
  return rewrite_file(&a);
}
