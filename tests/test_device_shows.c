/* test_device_shows.c - what a device may show of a class (fuzz/device_shows.h): the rules, and that doc/DEVICES.md has them. */
#include "../fuzz/device_shows.h"
#include "suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BIT(c) (1u << (c))

static const struct {
  uint32_t engine, device;
  int agrees;
} pairs[] = {
    {0, 0, 1},
    {BIT(SIMT_WRONG_RESULT), BIT(SIMT_WRONG_RESULT), 1},
    {BIT(SIMT_RACE_SHARED) | BIT(SIMT_WRONG_RESULT), BIT(SIMT_WRONG_RESULT), 1},
    {0, BIT(SIMT_WRONG_RESULT), -1},                     /* the engine is silent */
    {0, BIT(SIMT_NONDETERMINISTIC), -1},
    {BIT(SIMT_WRONG_RESULT), 0, -1},                     /* a wrong value has to show */
    {BIT(SIMT_WRONG_SPECIAL), BIT(SIMT_WRONG_RESULT), 0},
    {BIT(SIMT_UNWRITTEN_OUTPUT), 0, -1},
    {BIT(SIMT_MISALIGNED), 0, -1},
    {BIT(SIMT_MISALIGNED), BIT(SIMT_WRONG_RESULT), -1},
    {BIT(SIMT_HANG), 0, -1},
    {BIT(SIMT_LAUNCH_ERROR), 0, -1},
    {BIT(SIMT_RACE_SHARED), 0, 0},
    {BIT(SIMT_RACE_SHARED), BIT(SIMT_WRONG_SPECIAL), 0},
    {BIT(SIMT_RACE_SHARED), BIT(SIMT_LAUNCH_ERROR), -1}, /* not of a race */
    {BIT(SIMT_OOB_GLOBAL), BIT(SIMT_INPUT_WRITTEN), 0},
    {BIT(SIMT_OOB_SHARED), BIT(SIMT_OOB_GLOBAL), 0},     /* an illegal address has no name on a device */
    {BIT(SIMT_RACE_WARP) | BIT(SIMT_WRONG_RESULT), 0, -1},
    {BIT(SIMT_WRONG_RESULT), BIT(SIMT_WRONG_RESULT) | BIT(SIMT_TRAP), -1}, /* one of both is explained, the other is not */
    {BIT(SIMT_STACK_OVERFLOW), BIT(SIMT_OOB_GLOBAL), 0},
};

START_TEST(test_pairs) {
  const char *why;
  ck_assert_int_eq(wf_device_agrees(pairs[_i].engine, pairs[_i].device, &why), pairs[_i].agrees);
  ck_assert_int_eq(why != NULL, pairs[_i].agrees == 0);
}
END_TEST

/* "| race-shared | a race shows only ... |" */
START_TEST(test_document) {
  char path[4096], line[512], wanted[512];
  snprintf(path, sizeof path, "%s/doc/DEVICES.md", getenv("WF_SRCDIR"));
  for (unsigned c = 0; c < SIMT_CLASS_COUNT; c++) {
    const char *misses = wf_device_misses((SimtClass)c);
    FILE *f = fopen(path, "r");
    int found = 0;
    ck_assert_msg(f != NULL, "%s", path);
    snprintf(wanted, sizeof wanted, "| %s | %s |\n", simt_class_name((SimtClass)c), misses ? misses : "it has to show");
    while (fgets(line, sizeof line, f))
      found |= strcmp(line, wanted) == 0;
    fclose(f);
    ck_assert_msg(found, "doc/DEVICES.md has no line %s", wanted);
    ck_assert_uint_ne(wf_device_may_show(BIT(c)), 0);
  }
}
END_TEST

int main(void) {
  Suite *s = suite_create("device_shows");
  TCase *t = tcase_create("rules");
  tcase_add_loop_test(t, test_pairs, 0, (int)(sizeof pairs / sizeof *pairs));
  tcase_add_test(t, test_document);
  suite_add_tcase(s, t);
  return suite_run(s);
}
