/* emit_source.c - the source of a kernel with the project's own files in the places where it includes them. */
#define _POSIX_C_SOURCE 200809L
#include "check_info.h"
#include "emit_impl.h"
#include "source_line.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 16, MAX_SOURCE_BYTES = 1 << 22 };

typedef struct Reader {
  WfText *t;
  char *err;
  size_t err_size;
  int in_comment; /* of the kind that goes over lines */
} Reader;

void wf_emit_source_name(const WfOp *op, const WfVariant *v, char out[WF_EMIT_PATH_MAX]) {
  static const char twin[] = ".fastmath";
  size_t n = strlen(v->name);
  if (wf_check_info) {
    snprintf(out, WF_EMIT_PATH_MAX, "%s", wf_check_info->source);
    return;
  }
  if (v->flavor == WF_FASTMATH && n > strlen(twin) && strcmp(v->name + n - strlen(twin), twin) == 0)
    n -= strlen(twin);
  snprintf(out, 256, "kernels/%s/%.*s.cu", op->name, (int)n, v->name);
}

static int fail(Reader *r, const char *path, const char *why) {
  snprintf(r->err, r->err_size, "%s: cannot read the kernel's source: %s", path, why);
  return WF_EMIT_NO_SOURCE;
}

/* The file between quotes that a line includes; 0: it includes none. */
static int included(const char *line, char name[256]) {
  int end = 0;
  return sscanf(line, " # include \"%255[^\"\n]%n", name, &end) == 1 && end > 0 && line[end] == '"';
}

/* Is the place behind this line in a comment, when the one before it was? Quotes hide what looks like one. */
static int ends_in_comment(const char *s, int in_comment) {
  char quote = 0;
  for (; *s; s++) {
    if (in_comment) {
      if (s[0] == '*' && s[1] == '/') {
        in_comment = 0;
        s++;
      }
    } else if (quote) {
      if (*s == '\\' && s[1])
        s++;
      else if (*s == quote)
        quote = 0;
    } else if (*s == '"' || *s == '\'') {
      quote = *s;
    } else if (s[0] == '/' && s[1] == '/') {
      return 0;
    } else if (s[0] == '/' && s[1] == '*') {
      in_comment = 1;
      s++;
    }
  }
  return in_comment;
}

static int add_file(Reader *r, const char *path, int depth);

/* A file that is not beside the one that includes it is none of the project: the line stays. */
static int add_line(Reader *r, const char *path, const char *line, int depth) {
  char name[256], beside[WF_EMIT_PATH_MAX];
  const char *slash = strrchr(path, '/');
  if (!r->in_comment && included(line, name)) {
    int n = snprintf(beside, sizeof beside, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name);
    FILE *f = n < (int)sizeof beside ? fopen(beside, "r") : NULL;
    if (f) {
      fclose(f);
      return add_file(r, beside, depth + 1);
    }
  }
  r->in_comment = ends_in_comment(line, r->in_comment);
  size_t len = strlen(line);
  wf_text_put(r->t, line, len);
  if (len == 0 || line[len - 1] != '\n')
    wf_text_put(r->t, "\n", 1);
  return 0;
}

static int add_file(Reader *r, const char *path, int depth) {
  char *line = NULL;
  size_t room = 0;
  int rc = 0;
  if (depth > MAX_DEPTH)
    return fail(r, path, "files include each other");
  FILE *f = fopen(path, "r");
  if (!f)
    return fail(r, path, strerror(errno));
  errno = 0;
  while (rc == 0 && getline(&line, &room, f) >= 0) {
    rc = r->t->len > MAX_SOURCE_BYTES ? fail(r, path, "too large") : add_line(r, path, line, depth);
    errno = 0;
  }
  if (rc == 0 && ferror(f))
    rc = fail(r, path, strerror(errno));
  free(line);
  fclose(f);
  return rc;
}

int wf_emit_source(WfText *t, const char *sources, const char *name, char *err, size_t err_size) {
  char path[WF_EMIT_PATH_MAX];
  Reader r = {t, err, err_size, 0};
  if (strcmp(sources, ".") == 0)
    snprintf(path, sizeof path, "%s", name);
  else if (snprintf(path, sizeof path, "%s/%s", sources, name) >= (int)sizeof path)
    return fail(&r, sources, strerror(ENAMETOOLONG));
  return add_file(&r, path, 0);
}
