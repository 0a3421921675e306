/* fake_kernels.h - an op and kernels over the engine's stand-in: plain C that is right, or wrong in one way. Each takes
 * FAKE_ROWS rows of FAKE_COLS columns. */
#ifndef FAKE_KERNELS_H
#define FAKE_KERNELS_H
#include "../fuzz/op.h"
#include "../simt/simt.h"

#define FAKE_ROWS 3
#define FAKE_COLS 5

extern const WfOp fake_op; /* softmax of finite rows, with an invariant that a kernel can break: y >= 0 */
extern const SimtSite fake_site_a, fake_site_b;

void fake_clean(const WfLaunchArgs *a);
void fake_looks_around(const WfLaunchArgs *a); /* clean; a trap when it is not given what it should be */
void fake_wants_scratch(const WfLaunchArgs *a); /* the same with 12 bytes of scratch memory */

void fake_wrong(const WfLaunchArgs *a);     /* 1e-3 off from element 7 on */
void fake_wrong_nan(const WfLaunchArgs *a); /* element 4 */
void fake_breaks_invariant(const WfLaunchArgs *a); /* element 3 */

/* wrong, with a finding of the engine's: a warning, a race, a race when the blocks are reversed */
void fake_wrong_and_warning(const WfLaunchArgs *a);
void fake_race(const WfLaunchArgs *a);
void fake_race_when_reversed(const WfLaunchArgs *a);
void fake_warning_then_error(const WfLaunchArgs *a); /* right; the same race, worse in the second run */
void fake_misaligned(const WfLaunchArgs *a);         /* other wrong values in each run, and the cause of it */

void fake_writes_input(const WfLaunchArgs *a); /* elements 6 and 14 */
void fake_leaves_tail(const WfLaunchArgs *a);  /* elements 3, 4, 13, 14 are not written, 0 to 2 are wrong */
void fake_leaves_tail_when_reversed(const WfLaunchArgs *a);

/* a value nobody wrote is read and: does not matter, is element 7, changes element 2 only when above 1e38, decides a
 * branch, is global memory and becomes element 1, does not matter while the last element is not written */
void fake_harmless_poison(const WfLaunchArgs *a);
void fake_overflow_beside_poison(const WfLaunchArgs *a);
void fake_poison_to_output(const WfLaunchArgs *a);
void fake_second_poison(const WfLaunchArgs *a);
void fake_poison_beyond_nan(const WfLaunchArgs *a);
void fake_poison_to_branch(const WfLaunchArgs *a);
void fake_poison_from_output(const WfLaunchArgs *a);
void fake_poison_beside_unwritten(const WfLaunchArgs *a);

void fake_cut_short(const WfLaunchArgs *a);    /* a hang that leaves the rest unwritten and wrong */
/* the engine gives up without a finding: always, in the second run */
void fake_gives_up(const WfLaunchArgs *a);
void fake_gives_up_when_reversed(const WfLaunchArgs *a);
void fake_wild_address(const WfLaunchArgs *a); /* such a value is an address, and the run ends there unless it is 0 */
void fake_cut_short_when_reversed(const WfLaunchArgs *a);

void fake_refused(const WfLaunchArgs *a); /* writes a row, then a second launch is refused */

void fake_last_bit_by_schedule(const WfLaunchArgs *a); /* element 8 */
void fake_wrong_when_reversed(const WfLaunchArgs *a);
void fake_nan_payload_by_schedule(const WfLaunchArgs *a);

#endif
