/* history.c - adds members to lines that are JSON already, and takes them away. A quotation mark within a JSON string is escaped, so that
 * `,"count":` is found in no other place than that of the member; no nested object has one of that name. */
#define _POSIX_C_SOURCE 200809L
#include "history.h"
#include "textbuf.h"
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[WF_STATES] = {"new", "open", "known", "gone", "missed"};

static const char first_member[] = ",\"first_seen\":", count[] = ",\"count\":", in_case[] = ",\"in_case\":", reason_key[] = ",\"reason\":";

const char *wf_state_name(WfState s) { return names[s]; }

static void read_text(char *out, size_t size, const json_t *line, const char *key) {
  const char *text = json_string_value(json_object_get(line, key));
  snprintf(out, size, "%s", text ? text : "");
}

void wf_history_read(WfHistory *out, const json_t *line) {
  char id[WF_RUN_ID_MAX];
  *out = (WfHistory){0};
  read_text(out->first_seen, sizeof out->first_seen, line, "first_seen");
  read_text(out->last_seen, sizeof out->last_seen, line, "last_seen");
  read_text(out->first_run, sizeof out->first_run, line, "first_run");
  read_text(out->last_run, sizeof out->last_run, line, "last_run");
  read_text(id, sizeof id, line, "site_id");
  out->site_id = strtoull(id, NULL, 16);
  if (!out->first_seen[0]) return; /* `count` is the finding's own */
  json_int_t n = json_integer_value(json_object_get(line, "count"));
  out->count = n > 0 ? (uint64_t)n : 0;
}

/* Text up to `end`, with the name of one member changed. */
static void put_renamed(WfText *t, const char *text, const char *end, const char *from, const char *to) {
  const char *at = strstr(text, from);
  if (at && at < end) {
    wf_text_put(t, text, (size_t)(at - text));
    wf_text_put(t, to, strlen(to));
    text = at + strlen(from);
  }
  wf_text_put(t, text, (size_t)(end - text));
}

/* The end of the JSON string or word at s. */
static const char *value_end(const char *s) {
  if (*s != '"') return s + strcspn(s, ",}");
  for (s++; *s && *s != '"'; s++) s += *s == '\\' && s[1];
  return *s ? s + 1 : s;
}

static char *with_reason(char *line, const char *reason) {
  char *at = line ? strstr(line, reason_key) : NULL;
  if (!at) return line;
  WfText t = {0};
  at += sizeof reason_key - 1;
  wf_text_put(&t, line, (size_t)(at - line));
  wf_text_add_json(&t, reason);
  const char *rest = value_end(at);
  wf_text_put(&t, rest, strlen(rest));
  free(line);
  return wf_text_take(&t);
}

char *wf_history_bare(const char *line) {
  const char *end = strstr(line, first_member);
  if (!end) return strdup(line);
  WfText t = {0};
  put_renamed(&t, line, end, in_case, count);
  wf_text_put(&t, "}\n", 2);
  char *bare = wf_text_take(&t);
  return strstr(end, ",\"state\":\"known\"") ? with_reason(bare, NULL) : bare;
}

char *wf_history_line(const char *bare, const WfHistory *h, WfState state, const char *reason) {
  size_t len = strlen(bare);
  WfText t = {0};
  len -= len && bare[len - 1] == '\n';
  len -= len && bare[len - 1] == '}';
  put_renamed(&t, bare, bare + len, count, in_case);
  const char *const text[][2] = {{"first_seen", h->first_seen}, {"last_seen", h->last_seen}, {"first_run", h->first_run}, {"last_run", h->last_run}};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    wf_text_add(&t, ",\"%s\":", text[i][0]);
    wf_text_add_json(&t, text[i][1][0] ? text[i][1] : NULL);
  }
  wf_text_add(&t, ",\"count\":%" PRIu64 ",\"state\":\"%s\",\"site_id\":\"%016" PRIx64 "\"}\n", h->count, names[state], h->site_id);
  char *line = wf_text_take(&t);
  return state == WF_STATE_IS_KNOWN ? with_reason(line, reason) : line;
}
