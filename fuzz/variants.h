/* variants.h - the table of an op's variants, from kernels/<op>/variants.def. Includes for <op>.c only, once for each op:
 *
 *   #define WF_VARIANTS "../kernels/add/variants.def"
 *   #define WF_ENTRY(ident) wf_entry_add_##ident
 *   #include "../fuzz/variants.h"
 *
 * gives `variants`, a static array. WF_VARIANTS is relative to this file's folder or the includer's; both are one below the
 * top. Programs that read the table and link no kernel define WF_NO_ENTRIES: entries are NULL then. With WF_USER_VARIANT each op has one
 * variant, the same for all, which whoever links brings: wf_user_variant. To be included again for another op in the same file, define
 * WF_VARIANTS_NAME as well. */
#include "../simt/simt.h" /* classes, for `expect` */
#include "op.h"
#include <float.h>

#ifndef WF_VARIANTS_NAME
#define WF_VARIANTS_NAME variants
#endif

#ifdef WF_USER_VARIANT
extern const WfVariant WF_VARIANTS_NAME[1] __asm__("wf_user_variant");
#else

#ifdef WF_NO_ENTRIES
#define WF_ENTRY_OR_NULL(ident) NULL
#else
#define WF_ENTRY_OR_NULL(ident) WF_ENTRY(ident)
#define WF_VARIANT(ident, ...) void WF_ENTRY(ident)(const WfLaunchArgs *);
#include WF_VARIANTS
#undef WF_VARIANT
#endif

static const WfVariant WF_VARIANTS_NAME[] = {
#define WF_VARIANT(ident, ...) {.entry = WF_ENTRY_OR_NULL(ident), __VA_ARGS__},
#include WF_VARIANTS
#undef WF_VARIANT
};

#undef WF_ENTRY_OR_NULL
#endif
#undef WF_ENTRY
#undef WF_VARIANTS
#undef WF_VARIANTS_NAME
