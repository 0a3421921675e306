/* instrument.h - simt-instrument: prepares one module's bitcode for the engine. Internal to the program. */
#ifndef SIMT_INSTRUMENT_H
#define SIMT_INSTRUMENT_H
#include "abi.h"
#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Frame { /* cache: call frame (DILocation of a call) -> its site */
  LLVMMetadataRef loc;
  LLVMValueRef site;
} Frame;

typedef struct SharedUse { /* how much static shared memory a function uses */
  LLVMValueRef fn;
  uint64_t bytes;
} SharedUse;

typedef struct MeantLine { /* a line of the source whose races are meant */
  char *file, *reason;
  unsigned line;
} MeantLine;

typedef struct LocalName { /* a local variable, or an argument */
  LLVMValueRef at;
  LLVMMetadataRef variable;
} LocalName;

typedef struct CoverLine { /* a line of the source that was reached if a counter is above 0 */
  LLVMValueRef file;
  unsigned line, counter;
} CoverLine;

typedef struct Ins {
  const char *const *root; /* functions that others call; none: all that they can see */
  size_t n_roots;
  LLVMContextRef ctx;
  LLVMModuleRef mod;
  LLVMTargetDataRef data;
  LLVMBuilderRef b;
  const char *shim_dir;  /* absolute; code in files below it belongs to the shim */
  int fastmath;          /* 1: as nvcc -use_fast_math */
  int yields;            /* 1: see ins_yield() */
  LLVMTypeRef i1, i8, i16, i32, i64, ptr, site_type;
  Frame *frames;
  size_t n_frames, cap_frames;
  char **strings;        /* interned: text and its global */
  LLVMValueRef *string_globals;
  size_t n_strings;
  unsigned n_sites, n_counters;
  CoverLine *cover;
  size_t n_cover;
  LLVMValueRef counters; /* placeholder array, replaced when the number is known */
  LLVMValueRef module_global;
  SharedUse *shared_use;
  size_t n_shared_use;
  LLVMTypeRef var_type;
  LocalName *locals;
  size_t n_locals;
  MeantLine *meant;
  size_t n_meant;
  LLVMMetadataRef *classes; /* that the source casts to, or to pointers or references to */
  size_t n_classes;
  LLVMValueRef *unset;      /* local variables in memory that begin without a value */
  size_t n_unset;
  int has_classes;          /* they are noted */
  uint64_t loose_bytes;     /* sizes (powers of two) of numbers that a typedef among the casts allows at any address */
} Ins;

/* instrument_site.c: places in the source */
void *ins_grow(void *p, size_t n, size_t elem_bytes); /* room for one more element behind n; never NULL */
LLVMValueRef ins_string(Ins *in, const char *s, size_t len);      /* i8* to a private constant */
LLVMValueRef ins_site(Ins *in, LLVMValueRef inst, uint64_t bytes, unsigned align_log2, int is_volatile);
int ins_is_user(Ins *in, LLVMValueRef inst);                       /* 1: written outside the shim */
LLVMMetadataRef ins_user_frame(Ins *in, LLVMMetadataRef loc);       /* the innermost frame that is not of the shim */
int ins_is_user_place(Ins *in, LLVMMetadataRef loc);              /* likewise of a location alone, wrappers of the shim's left out */
int ins_is_user_function(Ins *in, LLVMValueRef fn);                /* has debug info, and is not of the shim */
const char *ins_function_name(Ins *in, LLVMValueRef fn, size_t *len); /* from debug info, or the symbol */

LLVMMetadataRef ins_md_operand(Ins *in, LLVMMetadataRef md, unsigned i); /* NULL: none */
unsigned ins_md_count(Ins *in, LLVMMetadataRef md);                       /* operands of a node */
const char *ins_md_string(Ins *in, LLVMMetadataRef md, size_t *len);     /* "": none */

/* instrument_argument.c: by-value arguments that C++ passes by address */
void ins_argument(Ins *in, LLVMValueRef at, LLVMMetadataRef variable); /* of a variable that is declared to be at `at` */
int ins_is_by_address(LLVMValueRef kernel, unsigned param);        /* became byval by that: its caller passes an address */

/* instrument_names.c: arrays and variables, for reports */
void ins_arguments(Ins *in);                                       /* before inlining: ins_argument() for each variable */
void ins_var_init(Ins *in);                                        /* after inlining: notes the names of locals */
LLVMValueRef ins_var(Ins *in, const char *name, size_t len, uint64_t offset_bytes, LLVMTypeRef t); /* a SimtVar */
const char *ins_local_name(Ins *in, LLVMValueRef at, size_t *len); /* "": not known */
/* Says to what a checked access is: to the part of that type at byte `off` of the local variable or by-value argument at `at`. */
void ins_local_site(Ins *in, LLVMValueRef at, uint64_t off, LLVMTypeRef type, LLVMValueRef site);

/* instrument_meant.c: the list that simt-rewrite leaves, and what a site has to do with it */
int ins_meant_read(Ins *in, const char *path);                     /* 0; -1: cannot be read, printed */
void ins_meant_add(Ins *in, MeantLine line);                       /* takes over its texts */
void ins_meant_site(Ins *in, const char *file, size_t len, unsigned line, LLVMValueRef site);

/* instrument_util.c */
LLVMValueRef ins_call(Ins *in, const char *name, LLVMTypeRef ret, LLVMValueRef *args, unsigned n);
LLVMValueRef ins_as_ptr(Ins *in, LLVMValueRef v);
void ins_before(Ins *in, LLVMValueRef inst); /* builder in front of inst, with its debug location */
LLVMMetadataRef ins_location(Ins *in, LLVMBasicBlockRef bb); /* line where bb's code begins; NULL: no debug information */
void ins_mark(Ins *in, const char *name, LLVMMetadataRef loc); /* calls name(site of loc) at the builder */
void ins_keep(Ins *in, LLVMValueRef global); /* for the linker's sections: nothing refers to it, but it stays */
int ins_starts_with(const char *s, size_t len, const char *prefix);
int ins_is_named(LLVMValueRef v, const char *prefix);   /* its name starts so */
int ins_calls(LLVMValueRef inst, const char *prefix);   /* inst is a call of a function whose name starts so */
const char *ins_callee_name(LLVMValueRef call, size_t *len); /* "": by pointer */

/* Constant expressions over some globals (roots), rebuilt as instructions in front of the builder with root->value() in
 * their place. NULL: an expression of a kind that is not supported. */
typedef struct InsRoot {
  int (*is)(LLVMValueRef global);
  LLVMValueRef (*value)(Ins *in, struct InsRoot *root, LLVMValueRef global);
  LLVMValueRef fn; /* function being rewritten */
  void *state;
} InsRoot;
int ins_mentions(LLVMValueRef c, int (*is_root)(LLVMValueRef), int depth);
LLVMValueRef ins_rebuild(Ins *in, LLVMValueRef c, InsRoot *root);
int ins_replace(Ins *in, LLVMValueRef fn, InsRoot *root); /* in all operands of a function; -1: a use that is not supported */
const char *ins_source_name(Ins *in, LLVMValueRef global, size_t *len); /* of a variable, as in the source */

/* instrument_join.c: files of bitcode. Those that return int: 0; -1: printed. */
int ins_read(Ins *in, const char *path, LLVMModuleRef *out);
int ins_join(Ins *in, const char *const *paths, int n);            /* in->mod becomes all of them; what ins_pack() has noted is taken */
/* Notes in in->mod what it is. relocatable: as by -rdc=true; source: what the user calls it. */
void ins_pack(Ins *in, int relocatable, const char *source);
/* Makes what the source defines, kernels aside, the file's own, and what other objects see of it weak: device code of that name in
 * other files may be another, as with nvcc. */
void ins_yield(Ins *in);

/* The passes, in order. */
void ins_mark_inline(Ins *in);                       /* instrument_inline.c */
void ins_fastmath(Ins *in);                          /* instrument_fastmath.c */
void ins_accesses(Ins *in, LLVMValueRef fn);         /* instrument_access.c */
/* instrument_use.c: what becomes of the value of a volatile load: SIMT_SITE_POLL, SIMT_SITE_USE (abi.h). */
unsigned ins_use(LLVMValueRef load);
int ins_is_polling(LLVMValueRef inst); /* a load or atomic operation: its block decides on a branch, one way of which leads straight back to it */
/* instrument_update.c: a volatile load whose value comes back to its word by arithmetic and a volatile store, and that store. */
void ins_updates(Ins *in, LLVMValueRef fn);      /* notes them, before anything changes their operands */
int ins_is_update(Ins *in, LLVMValueRef inst);   /* inst is one of them: once, then the note is dropped */
/* instrument_flow.c: blocks of a function, at most INS_MAX_BLOCKS of them. */
enum { INS_MAX_BLOCKS = 1024, INS_BLOCK_SLOTS = 2 * INS_MAX_BLOCKS };
typedef struct InsBlocks {
  LLVMBasicBlockRef block[INS_MAX_BLOCKS];
  uint16_t slot[INS_BLOCK_SLOTS]; /* by a block's address: its number from 1; 0: free */
  unsigned n;
} InsBlocks;
void ins_reach(InsBlocks *b, LLVMBasicBlockRef from, LLVMBasicBlockRef without); /* what control flow gets to, itself the first, not through `without` */
void ins_reach_back(InsBlocks *b, LLVMBasicBlockRef to);                         /* from where it gets there */
int ins_has_block(const InsBlocks *b, LLVMBasicBlockRef bb);
int ins_leads_to(LLVMBasicBlockRef from, LLVMBasicBlockRef to);
int ins_same_value(LLVMValueRef a, LLVMValueRef b, int depth); /* certainly equal, but for what is stored in between; depth: 0 */
/* instrument_unset.c: values of locals that nobody has assigned */
void ins_unset_starts(Ins *in);                      /* first of all: what locals begin with */
void ins_unset(Ins *in, LLVMValueRef fn);            /* locals in registers; before ins_accesses */
void ins_unset_load(Ins *in, LLVMValueRef load);     /* an access to one's own object: is it to such a local? */
void ins_unset_copy(Ins *in, LLVMValueRef copy);     /* memcpy out of one's own object */
LLVMValueRef ins_variable_at(LLVMValueRef p);        /* the local variable that p points into, by casts and steps; NULL: none */
int ins_is_start(Ins *in, LLVMValueRef inst);        /* gives a local what it begins with */
/* instrument_bits.c: bits of classes and unions. Variables of fn that begin without a value; each of their starts; then their uses. */
typedef struct InsBits {
  struct InsExact *v;
  size_t n;
} InsBits;
void ins_bits_begin(Ins *in, InsBits *all, LLVMValueRef *variable, size_t n);
int ins_bits_has(const InsBits *all, LLVMValueRef variable); /* 1: it is followed bit by bit */
void ins_bits_start(Ins *in, const InsBits *all, LLVMValueRef start);
void ins_bits_end(Ins *in, InsBits *all);
/* instrument_layout.c: the bits of a local variable that belong to members, `bytes` bytes of them. -1: not known */
int ins_member_bits(Ins *in, LLVMValueRef local, uint8_t *map, uint64_t bytes);
LLVMValueRef ins_holes(Ins *in, LLVMValueRef copy, uint64_t bytes); /* a SimtHoles: of the class that a memcpy copies; NULL: it has no padding */
/* instrument_align.c. Bytes that the type of an access must be aligned to which goes through a cast of a variable's address; 1: no cast, or not
 * known, and the instruction says all there is. scalar: what is loaded or stored; NULL: a class is copied. */
uint64_t ins_alignment(Ins *in, LLVMValueRef inst, LLVMValueRef p, LLVMTypeRef scalar, uint64_t bytes);
/* Check of an access of inst to one's own object, at p, whose type is so aligned. checked: p, or what ins_local() has made of it.
 * 0: there is none, as it is certainly good. */
int ins_align_local(Ins *in, LLVMValueRef inst, LLVMValueRef p, LLVMValueRef checked, uint64_t align, int writes);
void ins_forget_types(Ins *in);                      /* after ins_accesses, before any pass: notes about types are dropped */
int ins_add_offset(Ins *in, LLVMValueRef gep, int64_t *off_bytes); /* instrument_local.c: adds what a GEP steps over; 0: not a constant */
/* instrument_local.c. Is p certainly inside a local variable, a by-value argument or constant data? */
int ins_is_own_object(LLVMValueRef p);
LLVMTypeRef ins_object_type(LLVMValueRef p); /* of the one that begins at p; NULL: none does */
/* Checked address for an access of inst to such an object, or NULL: there is nothing to check. */
LLVMValueRef ins_local(Ins *in, LLVMValueRef inst, LLVMValueRef p, LLVMValueRef bytes, int writes);
void ins_guards(Ins *in, LLVMValueRef fn);           /* after ins_accesses: around local arrays whose address is kept */
void ins_ops(Ins *in, LLVMValueRef fn);              /* instrument_access.c: sites of engine calls */
void ins_arithmetic(Ins *in, LLVMValueRef fn);       /* instrument_arith.c */
int ins_signed(Ins *in, LLVMValueRef fn);            /* instrument_signed.c: every function, first of all; -1: printed */
/* At the builder: reports the signed operation inst, a OP b (+ - * / %), when `over` (i1) says that its result does not fit. */
void ins_check_signed(Ins *in, LLVMValueRef inst, LLVMValueRef over, LLVMValueRef a, LLVMValueRef b, char op);
LLVMValueRef ins_least(LLVMTypeRef type); /* the smallest signed number of an integer type of at most 64 bits */
void ins_indices(Ins *in, LLVMValueRef fn);          /* instrument_index.c: before ins_arithmetic and ins_accesses */
void ins_coverage(Ins *in, LLVMValueRef fn);         /* instrument_cover.c */
void ins_coverage_finish(Ins *in);
void ins_barriers(Ins *in, LLVMValueRef fn);         /* instrument_barrier.c: before ins_coverage */
int ins_variables(Ins *in, LLVMValueRef last);       /* instrument_variable.c; in functions up to `last`; -1: see ins_shared */
int ins_shared(Ins *in);                             /* instrument_shared.c; -1: something not supported, printed */
uint64_t ins_launch_bounds(Ins *in, LLVMValueRef kernel); /* instrument_refuse.c; threads a block, 0: not said */
int ins_refuse(Ins *in, LLVMValueRef kernel);        /* -1: somebody may launch it, and it calls what the engine does not have; printed */
int ins_is_reached(const Ins *in, LLVMValueRef kernel); /* instrument_reach.c; 1: somebody may launch it */
/* instrument_entry.c. Of a kernel that has become two: how host code finds it by its address. */
void ins_entry(Ins *in, LLVMValueRef stub, LLVMValueRef body, LLVMValueRef record, LLVMTypeRef pack, unsigned n_fields);
void ins_host_places(Ins *in, LLVMValueRef fn);      /* in front of calls of the runtime: where they are */
void ins_rounds(Ins *in);                            /* instrument_rounds.c: last of all */
int ins_kernels(Ins *in);                            /* instrument_kernel.c; -1: refused, printed */

#endif
