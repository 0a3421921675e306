/* test_rewrite.c - the rewriter: source in, source out, exactly. */
#include "../simt/rewrite.h"
#include "suite.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Row {
  const char *in;
  const char *out; /* without the #line directive; NULL: as in */
} Row;

/* ---- launches ---- */
static const Row launches[] = {
    {"k<<<1, 2>>>(x);", "(::simt::configure(1, 2), k(x));"},
    {"k<<<1,2>>>();", "(::simt::configure(1,2), k());"},
    {"k<<<grid, block, shared>>>(x, y, n);", "(::simt::configure(grid, block, shared), k(x, y, n));"},
    {"k<<<grid, block, 0, stream>>>(x);", "(::simt::configure(grid, block, 0, stream), k(x));"},
    {"k <<< g, b >>> (x);", "(::simt::configure( g, b ), k  (x));"},
    {"k<<<g, b>>>(NULL, 0, {1, 2});", "(::simt::configure(g, b), k(NULL, 0, {1, 2}));"},
    {"ns::k<<<g, b>>>(x);", "(::simt::configure(g, b), ns::k(x));"},
    {"  ::ns::k<<<g, b>>>(x);", "  (::simt::configure(g, b), ::ns::k(x));"},
    {"k<T, 256><<<g, b>>>(x);", "(::simt::configure(g, b), k<T, 256>(x));"},
    {"k<A<int>><<<g, b>>>(x);", "(::simt::configure(g, b), k<A<int>>(x));"},
    {"k<A<B<C>>><<<g, b>>>(x);", "(::simt::configure(g, b), k<A<B<C>>>(x));"},
    {"k<(N > 2), A<B<int>>><<<g, b>>>(x);", "(::simt::configure(g, b), k<(N > 2), A<B<int>>>(x));"},
    {"k<(1 << 4)><<<g, b>>>(x);", "(::simt::configure(g, b), k<(1 << 4)>(x));"},
    {"k<1<<4><<<g, b>>>(x);", "(::simt::configure(g, b), k<1<<4>(x));"},
    {"k<float> <<<g, b>>>(x);", "(::simt::configure(g, b), k<float> (x));"},
    {"(fp)<<<g, b>>>(x);", "(::simt::configure(g, b), (fp)(x));"},
    {"(*fp)<<<g, b>>>(x);", "(::simt::configure(g, b), (*fp)(x));"},
    {"obj.fp<<<g, b>>>(x);", "(::simt::configure(g, b), obj.fp(x));"},
    {"p->fp<<<g, b>>>(x);", "(::simt::configure(g, b), p->fp(x));"},
    {"this->fp<<<g, b>>>(x);", "(::simt::configure(g, b), this->fp(x));"},
    {"table[i + 1]<<<g, b>>>(x);", "(::simt::configure(g, b), table[i + 1](x));"},
    {"t.a[i][j].run<<<g, b>>>(x);", "(::simt::configure(g, b), t.a[i][j].run(x));"},
    {"kernel_of<T>::run<<<g, b>>>(x);", "(::simt::configure(g, b), kernel_of<T>::run(x));"},
    {"P::template run<4><<<g, b>>>(x);", "(::simt::configure(g, b), P::template run<4>(x));"},
    {"p->template run<4><<<g, b>>>(x);", "(::simt::configure(g, b), p->template run<4>(x));"},
    {"decltype(v)::run<<<g, b>>>(x);", "(::simt::configure(g, b), decltype(v)::run(x));"},
    {"pick(n)<<<g, b>>>(x);", "(::simt::configure(g, b), pick(n)(x));"},
    {"pick<T>(n)<<<g, b>>>(x);", "(::simt::configure(g, b), pick<T>(n)(x));"},
    {"(void)k<<<g, b>>>(x);", "(void)(::simt::configure(g, b), k(x));"},
    {"return k<<<g, b>>>(x);", "return (::simt::configure(g, b), k(x));"},
    {"return (fp)<<<g, b>>>(x);", "return (::simt::configure(g, b), (fp)(x));"},
    {"if (c) k<<<g, b>>>(x); else j<<<g, b>>>(x);",
     "if (c) (::simt::configure(g, b), k(x)); else (::simt::configure(g, b), j(x));"},
    {"if (c) (fp)<<<g, b>>>(x); else ::k<<<g, b>>>(x);",
     "if (c) (::simt::configure(g, b), (fp)(x)); else (::simt::configure(g, b), ::k(x));"},
    {"if constexpr (c) (*fp)<<<g, b>>>(x);", "if constexpr (c) (::simt::configure(g, b), (*fp)(x));"},
    {"for (;;) k<<<g, b>>>(x);", "for (;;) (::simt::configure(g, b), k(x));"},
    {"again: k<<<g, b>>>(x);", "again: (::simt::configure(g, b), k(x));"},
    {"c ? k<<<g, b>>>(x) : j<<<g, b>>>(x);",
     "c ? (::simt::configure(g, b), k(x)) : (::simt::configure(g, b), j(x));"},
    {"CHECK(k<<<g, b>>>(x));", "CHECK((::simt::configure(g, b), k(x)));"},
    {"f(); k<<<g, b>>>(x); k<<<g, b>>>(y);",
     "f(); (::simt::configure(g, b), k(x)); (::simt::configure(g, b), k(y));"},
    {"k<<<g, b>>>(x, [&] { j<<<1, 2>>>(y); return 0; }());",
     "(::simt::configure(g, b), k(x, [&] { (::simt::configure(1, 2), j(y)); return 0; }()));"},
    {"k<<<g, b>>>;", "::simt::configure(g, b), k;"},
    {"k<<<g, b>>> ARGS;", "::simt::configure(g, b), k ARGS;"},
    {"softmax_kernel<<<(rows + 3) / 4, dim3(32, 4), 2 * cols * sizeof(float), s>>>(x, y);",
     "(::simt::configure((rows + 3) / 4, dim3(32, 4), 2 * cols * sizeof(float), s), softmax_kernel(x, y));"},
};

/* ---- configurations ---- */
static const Row configurations[] = {
    {"k<<<dim3(1, 2), dim3{3, 4, 5}>>>(x);", "(::simt::configure(dim3(1, 2), dim3{3, 4, 5}), k(x));"},
    {"k<<<n>>8, 256>>>(x);", "(::simt::configure(n>>8, 256), k(x));"},
    {"k<<<(n+255)>>8, 256>>>(x);", "(::simt::configure((n+255)>>8, 256), k(x));"},
    {"k<<<(n >> 8), (m>>1)>>>(x);", "(::simt::configure((n >> 8), (m>>1)), k(x));"},
    {"k<<<(a>>>b), 2>>>(x);", "(::simt::configure((a>>>b), 2), k(x));"},
    {"k<<<1<<4, 1 << 8>>>(x);", "(::simt::configure(1<<4, 1 << 8), k(x));"},
    {"k<<<n < 5 ? 1 : 2, 256>>>(x);", "(::simt::configure(n < 5 ? 1 : 2, 256), k(x));"},
    {"k<<<n > 5 ? 1 : 2, 256>>>(x);", "(::simt::configure(n > 5 ? 1 : 2, 256), k(x));"},
    {"k<<<n <= 5, n >= 2>>>(x);", "(::simt::configure(n <= 5, n >= 2), k(x));"},
    {"k<<<a<b, 3>>>(x);", "(::simt::configure(a<b, 3), k(x));"},
    {"k<<<blocks<T>(n), C<A<B>>::v>>>(x);", "(::simt::configure(blocks<T>(n), C<A<B>>::v), k(x));"},
    {"k<<<C<A<B<int>>>::v, 1>>>(x);", "(::simt::configure(C<A<B<int>>>::v, 1), k(x));"},
    {"k<<<1, size<A<B>>>>>(x);", "(::simt::configure(1, size<A<B>>), k(x));"},
    {"k<<<1, size<A>>>>(x);", "(::simt::configure(1, size<A>), k(x));"},
    {"k<<<::f(), ::n>>>(x);", "(::simt::configure(::f(), ::n), k(x));"},
    {"k<<<[&](int a) { return a > 1 ? a >> 1 : 1; }(n), 2>>>(x);",
     "(::simt::configure([&](int a) { return a > 1 ? a >> 1 : 1; }(n), 2), k(x));"},
    {"k<<<[] { j<<<1, 2>>>(y); return 1; }(), 2>>>(x);",
     "(::simt::configure([] { (::simt::configure(1, 2), j(y)); return 1; }(), 2), k(x));"},
    {"k<<<p->n, n-->0>>>(x);", "(::simt::configure(p->n, n-->0), k(x));"},
    {"k<<<g, b /* a >>> b */>>>(x);", "(::simt::configure(g, b /* a >>> b */), k(x));"},
    {"k<<<g, f(\">>>\")>>>(x);", "(::simt::configure(g, f(\">>>\")), k(x));"},
    {"k<<<'>', 1'000>>>(x);", "(::simt::configure('>', 1'000), k(x));"},
};

/* ---- lines, comments, preprocessor ---- */
static const Row layout[] = {
    {"k<<<g,\n    b>>>(x,\n        y);\nf();", "(::simt::configure(g,\n    b), k(x,\n        y));\nf();"},
    {"k // kernel\n  <<<g, // grid\n     b>>>\n  (x);",
     "(::simt::configure(g, // grid\n     b), k // kernel\n  \n  (x));"},
    {"k<float,\n  4><<<g, b>>>(x);", "(::simt::configure(g, b), k<float,\n  4>(x));"},
    {"k /* a */ <<< /* b */ g, b /* c */ >>> /* d */ (x);",
     "(::simt::configure( /* b */ g, b /* c */ ), k /* a */  /* d */ (x));"},
    {"k<<<g,\n#ifdef BIG\n  512\n#else\n  256\n#endif\n  >>>(x);",
     "(::simt::configure(g,\n#ifdef BIG\n  512\n#else\n  256\n#endif\n  ), k(x));"},
    {"#ifdef A\nk<<<g, b>>>\n#else\nj<<<g, b>>>\n#endif\n(x);",
     "#ifdef A\n::simt::configure(g, b), k\n#else\n::simt::configure(g, b), j\n#endif\n(x);"},
    {"k<<<g, b>>>(x,\n#ifdef A\n  y);\n#else\n  z);\n#endif",
     "::simt::configure(g, b), k(x,\n#ifdef A\n  y);\n#else\n  z);\n#endif"},
    {"k<<<g, b>>>(x,\n#ifdef A\n  y,\n#endif\n  z);", "(::simt::configure(g, b), k(x,\n#ifdef A\n  y,\n#endif\n  z));"},
    {"k<<\\\n<g, b>\\\n>>(x);", "(::simt::configure(\\\ng, b\\\n), k(x));"},
    {"k<<<g, b>>>(x);\r\nf();\r\n", "(::simt::configure(g, b), k(x));\r\nf();\r\n"},
    {"\xef\xbb\xbfk<<<g, b>>>(x);", "(::simt::configure(g, b), k(x));"},
    {"// k<<<g, b>>>(x);\nf();", NULL},
    {"// k \\\n k<<<g, b>>>(x);\nf();", NULL},
    {"/* k<<<g, b>>>(x); // */ f();", NULL},
    {"/* a /* b */ k<<<g, b>>>(x);", "/* a /* b */ (::simt::configure(g, b), k(x));"},
    {"s = \"k<<<g, b>>>(x)\";", NULL},
    {"s = \"\\\"k<<<g, b>>>(x)\\\\\"; k<<<g, b>>>(s);",
     "s = \"\\\"k<<<g, b>>>(x)\\\\\"; (::simt::configure(g, b), k(s));"},
    {"c = '\"'; k<<<g, b>>>(x); d = '\"';", "c = '\"'; (::simt::configure(g, b), k(x)); d = '\"';"},
    {"s = R\"(k<<<g, b>>>(x))\";", NULL},
    {"s = R\"x(\n)\" k<<<g, b>>>(x) )x\"; k<<<g, b>>>(s);",
     "s = R\"x(\n)\" k<<<g, b>>>(x) )x\"; (::simt::configure(g, b), k(s));"},
    {"s = u8R\"(\")\"; t = LR\"(\")\"; k<<<g, b>>>(s);",
     "s = u8R\"(\")\"; t = LR\"(\")\"; (::simt::configure(g, b), k(s));"},
    {"n = 1'000'000; k<<<g, b>>>(0x1p-3, 1e+3f, .5'0);",
     "n = 1'000'000; (::simt::configure(g, b), k(0x1p-3, 1e+3f, .5'0));"},
    {"#include \"k<<<g, b>>>(x)\"\n#include <a<<<b>>>>\n#error don't k<<<g, b>>>(x)\n#pragma k<<<g, b>>>(x)\n", NULL},
    {"#if 0\ndon't k<<<g, b>>>(x); j<<<y;\n#if 1\nk<<<g;\n#else\n#endif\n#elif 1\nk<<<g, b>>>(x);\n#endif",
     "#if 0\ndon't k<<<g, b>>>(x); j<<<y;\n#if 1\nk<<<g;\n#else\n#endif\n#elif 1\n(::simt::configure(g, b), "
     "k(x));\n#endif"},
    {"# if 0 // off\nk<<<g;\n# else\nk<<<g, b>>>(x);\n# endif",
     "# if 0 // off\nk<<<g;\n# else\n(::simt::configure(g, b), k(x));\n# endif"},
    {"", NULL},
    {"__global__ void k(float *x) { x[threadIdx.x] = 1.f; }\n", NULL},
};

/* ---- macros ---- */
static const Row macros[] = {
    {"#define LAUNCH(k, ...) k<<<g, b>>>(__VA_ARGS__)\n",
     "#define LAUNCH(k, ...) (::simt::configure(g, b), k(__VA_ARGS__))\n"},
    {"#define K(T) kern<T><<<g,b>>>\nK(int)(x);\n", "#define K(T) ::simt::configure(g,b), kern<T>\nK(int)(x);\n"},
    {"#define L(k) (k)<<<g, b>>>(x)\n", "#define L(k) (::simt::configure(g, b), (k)(x))\n"},
    {"#define L(T) name##_##T<<<g, b>>>(x)\n", "#define L(T) (::simt::configure(g, b), name##_##T(x))\n"},
    {"#define L(k) \\\n  do { \\\n    k<<<g, \\\n      b>>>(x); \\\n  } while (0)\nf();\n",
     "#define L(k) \\\n  do { \\\n    (::simt::configure(g, \\\n      b), k(x)); \\\n  } while (0)\nf();\n"},
    {"#define L(k, a) /* k<<< */ k<<<g, b>>>(a) // >>>\n",
     "#define L(k, a) /* k<<< */ (::simt::configure(g, b), k(a)) // >>>\n"},
    {"#define TEXT \"k<<<g, b>>>(x)\"\n#define NOTE don't k<<<\n", NULL},
    {"#define BEGIN <<<\n#define START(k) k<<<g, b\n", NULL},
    {"#define STR(x) #x\nSTR(<<<); STR(a <<< b); a << <b; operator<<<T>(a);\n", NULL},
    {"<<<<<<< HEAD\n>>>>>>> x\n", NULL},
    {"#define CFG(g, b) <<< g, b >>>\nk CFG(1, dim3(2))(x);\nns::k<T> CFG(1, 2) (x);\n",
     "#define CFG(g, b) ( g, b )\n(::simt::configure CFG(1, dim3(2)), k (x));\n(::simt::configure CFG(1, 2), ns::k<T>  "
     "(x));\n"},
    {"#define CFG <<<1, 2>>>\n#define RUN(k) k CFG(x)\nif (c) k CFG (x);\n",
     "#define CFG (1, 2)\n#define RUN(k) (::simt::configure CFG, k (x))\nif (c) (::simt::configure CFG, k  (x));\n"},
};

/* ---- shared declarations ---- */
static const Row shared[] = {
    {"__shared__ float s[32];", NULL},
    {"extern __shared__ float s[];", "extern __sharex__ float s[];"},
    {"extern __shared__ __align__(16) float s[];", "extern __sharex__ __align__(16) float s[];"},
    {"__shared__ alignas(16) float f[N];", "__shared__ __align(16) float f[N];"},
    {"__shared__ volatile alignas(float4) char f[64];", "__shared__ volatile __align(float4) char f[64];"},
    {"alignas(16) __shared__ float f[4];", "alignas(16) __shared__ float f[4];"},
    {"struct alignas(16) V { float v[4]; }; __shared__ V v;", "struct alignas(16) V { float v[4]; }; __shared__ V v;"},
    {"extern __align__(16) __shared__ float s[];", "extern __align__(16) __sharex__ float s[];"},
    {"extern volatile __shared__ float s[];", "extern volatile __sharex__ float s[];"},
    {"__shared__ extern int t[];", "__sharex__ extern int t[];"},
    {"__shared__ __align__(8) extern int t[];", "__sharex__ __align__(8) extern int t[];"},
    {"static __shared__ float s[32];", "static __sharex__ float s[32];"},
    {"__shared__ static float s[32];", "__sharex__ static float s[32];"},
    {"alignas(16) extern __shared__ V<float, 4> s[];", "alignas(16) extern __sharex__ V<float, 4> s[];"},
    {"extern V<float, 4> __shared__ s[];", "extern V<float, 4> __sharex__ s[];"},
    {"[[maybe_unused]] extern\n  __shared__ float s[];", "[[maybe_unused]] extern\n  __sharex__ float s[];"},
    {"extern int n; __shared__ float s[2]; static int m;", NULL},
    {"static __global__ void k() { __shared__ float s[2]; }", NULL},
    {"extern __device__ void f(); void k() { __shared__ int n; }", NULL},
    {"#define DYN(T, s) extern __shared__ T s[]\nDYN(float, t);\n",
     "#define DYN(T, s) extern __sharex__ T s[]\nDYN(float, t);\n"},
    {"#define EXT extern __shared__\n", "#define EXT extern __sharex__\n"},
    {"#define SHARED __shared__\nextern SHARED float s[];\nSHARED float t[2];\n",
     "#define SHARED __shared__\nextern __sharex__ float s[];\nSHARED float t[2];\n"},
    {"// extern __shared__ float s[];\nc = \"extern __shared__\";", NULL},
};

/* ---- inline PTX ---- */
#define PTX_OUT "({ ::simt::ptx::Plain<decltype((x))> simt_asm0; "
#define PTX_END "; (x) = simt_asm0; })"
#define PTX_TO "simt_asm0 = ::simt::ptx::p_to<decltype(simt_asm0)>"
static const Row asms[] = {
    {"asm(\"mov.u32 %0, %laneid;\" : \"=r\"(x));", PTX_OUT PTX_TO "(::simt::ptx::p_mov<unsigned>(simt_lane_id()))" PTX_END ";"},
    {"asm volatile (\"mov.u32 %0, \" // c\n \"%%laneid;\"\n : \"=r\"(x));",
     PTX_OUT PTX_TO "(::simt::ptx::p_mov<unsigned>(simt_lane_id()))" PTX_END "\\\n\\\n;"},
    {"asm(\"add.s32 %0, %0, 0x1f;\" : \"+r\"(x));",
     "({ ::simt::ptx::Plain<decltype((x))> simt_asm0 = (x); " PTX_TO "(::simt::ptx::p_add<int>(simt_asm0, 0x1f))" PTX_END ";"},
    {"asm(\"ld.acquire.gpu.global.f32 %0, [%1+8];\" : \"=f\"(x) : \"l\"(p + 1) : \"memory\");",
     PTX_OUT "[[maybe_unused]] auto simt_asm1 = (p + 1); " PTX_TO
             "(::simt::ptx::p_load<float, SIMT_ACQUIRE, SIMT_SCOPE_DEVICE>(simt_asm1, 8))" PTX_END ";"},
    {"asm volatile(\"membar.gl; bar.sync 0;\" ::: \"memory\");",
     "({ simt_op_fence(SIMT_SCOPE_DEVICE, nullptr); __syncthreads(); });"},
    {"asm volatile(\"\" ::: \"memory\");", "({ });"},
    {"#define L(x) asm(\"mov.u32 %0, %laneid;\" : \"=r\"(x))",
     "#define L(x) " PTX_OUT PTX_TO "(::simt::ptx::p_mov<unsigned>(simt_lane_id()))" PTX_END},
    {"asm volatile(\"wgmma.fence;\");", "simt_op_refused(\"inline PTX 'wgmma.fence'\", nullptr);"},
    {"asm(\".reg .b32 t;\" ::);", "({ [[maybe_unused]] unsigned simt_reg_t{}; });"},
    {"asm(\".reg .u32 laneid; mov.u32 laneid, %%laneid; mov.u32 %0, laneid;\" : \"=r\"(x));", /* a name of its own */
     PTX_OUT "[[maybe_unused]] unsigned simt_reg_laneid{}; "
             "simt_reg_laneid = ::simt::ptx::p_to<decltype(simt_reg_laneid)>(::simt::ptx::p_mov<unsigned>(simt_lane_id())); " PTX_TO
             "(::simt::ptx::p_mov<unsigned>(simt_reg_laneid))" PTX_END ";"},
    {"asm(\".reg .b32 %%t;\" ::);", "({ [[maybe_unused]] unsigned simt_own_t{}; });"},
    {"asm(\".reg .b32 t<4>;\" ::);", "simt_op_refused(\"inline PTX '.reg .b32 t<4>'\", nullptr);"},
    {"asm(\"{ .reg .pred p; setp.lt.s32 p, %0, 3; @!p trap; }\" :: \"r\"(x));",
     "({ [[maybe_unused]] auto simt_asm0 = (x); [[maybe_unused]] bool simt_reg_p{}; "
     "simt_reg_p = ::simt::ptx::p_to<int>(simt_asm0) < ::simt::ptx::p_to<int>(3); if (!simt_reg_p) { __trap(); }; });"},
    {"asm(\"cp.async.cg.shared.global [%0+16], [%1], 16;\" :: \"r\"(s), \"l\"(p));",
     "({ [[maybe_unused]] auto simt_asm0 = (s); [[maybe_unused]] auto simt_asm1 = (p); "
     "::simt::ptx::p_copy_async(::simt::ptx::in_shared(simt_asm0), 16, simt_asm1, 0, 16); });"},
    {"asm(\"cp.async.bulk.commit_group;\" ::);", "simt_op_refused(\"inline PTX 'cp.async.bulk.commit_group'\", nullptr);"},
    {"asm(\"@p add.s32 %0, %0, 1;\" : \"+r\"(x));",
     "simt_op_refused(\"inline PTX '@p add.s32 %0, %0, 1'\", nullptr);"},
    {"asm(\"add.s32 %0, %9, 1;\" : \"=r\"(x));", "simt_op_refused(\"inline PTX 'add.s32 %0, %9, 1'\", nullptr);"},
    {"asm(\"mov.u32 %0, \" REG \";\" : \"=r\"(x));", "simt_op_refused(\"inline PTX 'made by macros'\", nullptr);"},
    {"asm volatile(\"rdtsc\" : \"=a\"(lo), \"=d\"(hi));", "asm volatile(\"rdtsc\" : \"=a\"(lo), \"=d\"(hi));"},
    {"asm volatile(\"pause\");", "asm volatile(\"pause\");"},
    {"int asm_; f(asm_);", "int asm_; f(asm_);"},
};

static const struct {
  const char *in, *message;
} errors[] = {
    {"f();\nx<<<y;\n", "a.cu:2: launch without '>>>'"},
    {"void f() { k<<<1, 2>(x) }", "a.cu:1: launch without '>>>'"},
    {"k<<<1, 2>>", "a.cu:1: launch without '>>>'"},
    {"\n\n/* ...\n\n", "a.cu:3: comment without end"},
    {"\nR\"x( )\"\n", "a.cu:2: raw string without end"},
    {"\nk\n#ifdef A\n<<<1, 2>>>\n#else\n<<<1, 3>>>\n#endif\n(x);",
     "a.cu:4: launch is split by preprocessor conditionals"},
    {"k<<<g,\n#ifdef A\n 1>>>(x);\n#else\n 2>>>(x);\n#endif\n", "a.cu:1: launch is split by preprocessor conditionals"},
};

static size_t newlines(const char *s) {
  size_t n = 0;
  for (; *s; s++)
    n += *s == '\n';
  return n;
}

/* Rewrites and returns the text behind the #line directive; *whole is to be freed. */
static const char *rewritten(const char *in, char **whole) {
  static const char line[] = "#line 1 \"a.cu\"\n";
  char err[200] = "";
  size_t len = 0;
  ck_assert_msg(simt_rewrite(in, strlen(in), "a.cu", whole, &len, err, sizeof err) == 0, "%s\n%s", in, err);
  ck_assert_uint_eq(len, strlen(*whole));
  ck_assert(strncmp(*whole, line, strlen(line)) == 0);
  return *whole + strlen(line);
}

/* Besides the text: no line is lost, and a rewritten source is left alone. */
static void check_row(const Row *row) {
  char *first = NULL, *second = NULL;
  const char *out = rewritten(row->in, &first);
  ck_assert_str_eq(out, row->out ? row->out : row->in);
  ck_assert_uint_eq(newlines(out), newlines(row->in));
  ck_assert_str_eq(rewritten(out, &second), out);
  free(first);
  free(second);
}

#define ROWS(name)                                                                                                     \
  START_TEST(test_##name) { check_row(&name[_i]); }                                                                    \
  END_TEST
ROWS(launches)
ROWS(asms)
ROWS(configurations)
ROWS(layout)
ROWS(macros)
ROWS(shared)

START_TEST(test_errors) {
  char *out = NULL, err[200] = "";
  size_t len = 0;
  ck_assert_int_eq(simt_rewrite(errors[_i].in, strlen(errors[_i].in), "a.cu", &out, &len, err, sizeof err), -1);
  ck_assert_str_eq(err, errors[_i].message);
  ck_assert_ptr_null(out);
}
END_TEST

START_TEST(test_name_is_quoted) {
  char *out = NULL, err[200];
  size_t len = 0;
  ck_assert_int_eq(simt_rewrite("f();", 4, "a\\\"b.cu", &out, &len, err, sizeof err), 0);
  ck_assert_str_eq(out, "#line 1 \"a\\\\\\\"b.cu\"\nf();");
  free(out);
}
END_TEST

/* Every prefix of every row: an error or a result, no more; and work that does not explode. */
START_TEST(test_prefixes) {
  static const char deep[] = "k<<<a<b<c<d<e<f<g<h<i<j<k<l<m<n<o<p<q<r<s<t<u<v<w<x<y<z<a<b<c<d<e<f;";
  char *out, err[200];
  size_t len;
  ck_assert_int_eq(simt_rewrite(deep, strlen(deep), "a.cu", &out, &len, err, sizeof err), -1);
  for (size_t r = 0; r < sizeof layout / sizeof *layout; r++) {
    for (size_t n = 0; n <= strlen(layout[r].in); n++) {
      char *copy = malloc(n + 1); /* exact size, for the sanitizers */
      ck_assert_ptr_nonnull(copy);
      memcpy(copy, layout[r].in, n);
      if (simt_rewrite(copy, n, "a.cu", &out, &len, err, sizeof err) == 0)
        free(out);
      free(copy);
    }
  }
}
END_TEST

/* ---- where text moves ---- */

/* From column `column` of line `line`; both count from 1. */
static const char *place(const char *text, unsigned line, unsigned column) {
  for (; line > 1; line--) text = strchr(text, '\n') + 1;
  return text + column - 1;
}

START_TEST(test_moves) {
  static const char in[] = "a(); k<<<1, 2>>>(x); b();\n\tk<<<g,\n  b>>>(y,\n z); c();\nextern __shared__ int s[];\nd();\n";
  char *out, *moves, err[200];
  size_t len;
  ck_assert_int_eq(simt_rewrite_moves(in, strlen(in), "k.cu", NULL, &out, &len, &moves, err, sizeof err), 0);
  const char *line = moves;
  unsigned n = 0;
  for (; *line; line = strchr(line, '\n') + 1, n++) {
    unsigned at[5];
    ck_assert_int_eq(sscanf(line, "k.cu\t%u\t%u\t%u\t%u\t%u\n", &at[0], &at[1], &at[2], &at[3], &at[4]), 5);
    ck_assert(memcmp(place(strchr(out, '\n') + 1, at[0], at[1]), place(in, at[2], at[3]), at[4]) == 0);
  }
  ck_assert_uint_eq(n, 9);
  ck_assert_msg(strncmp(moves, "k.cu\t1\t25\t1\t10\t4\nk.cu\t1\t32\t1\t6\t1\n", 33) == 0, "%s", moves);
  ck_assert_ptr_null(strstr(moves, "k.cu\t6\t")); /* as it was */
  free(out);
  free(moves);
  ck_assert_int_eq(simt_rewrite_moves("f();\n", 5, "k.cu", NULL, &out, &len, &moves, err, sizeof err), 0);
  ck_assert_str_eq(moves, "");
  free(out);
  free(moves);
}
END_TEST

/* ---- races that are meant ---- */

static const struct {
  const char *in, *out; /* source, list */
} meant[] = {
    {"a();\n", ""},
    {"a();\nb(); // warpfuzz: race-ok: two writers, one value\nc();\n", "x.cu\t2\ttwo writers, one value\n"},
    {"a();\n  // warpfuzz: race-ok: why\nb();\n", "x.cu\t3\twhy\n"},
    {"//warpfuzz:race-ok:why  \r\n\n// more\n#pragma unroll\nb();", "x.cu\t5\twhy\n"},
    {"a(); /* warpfuzz: race-ok: why */ b();\n", "x.cu\t1\twhy\n"},
    {"/* warpfuzz: race-ok: why\n   and more */\na();\n", "x.cu\t3\twhy\n"},
    {"// warpfuzz: race-ok: one\n// warpfuzz: race-ok: two\na();\n", "x.cu\t3\tone\nx.cu\t3\ttwo\n"},
    {"s = \"// warpfuzz: race-ok: why\";\n", ""},
    {"s = R\"(\n// warpfuzz: race-ok:\n)\";\n", ""},
    {"#if 0\n// warpfuzz: race-ok:\n#endif\na();\n", ""},
    {"// see warpfuzz: race-ok: no\n// warpfuzz is a tool\n// warpfuzz: a note\na();\n", ""},
    {"\xef\xbb\xbf" "a(); // warpfuzz: race-ok: why\n", "x.cu\t1\twhy\n"},
};

START_TEST(test_meant) {
  char *out = NULL, err[200] = "";
  int rc = simt_rewrite_meant(meant[_i].in, strlen(meant[_i].in), "x.cu", &out, err, sizeof err);
  ck_assert_msg(rc == 0, "%s", err);
  ck_assert_str_eq(out, meant[_i].out);
  free(out);
}
END_TEST

static const char *const unreasoned[] = {
    "a();\nb(); // warpfuzz: race-ok\n",     "a();\nb(); // warpfuzz: race-ok: \nwhy();\n", "a();\n/* warpfuzz: race-ok: */\n",
    "a();\n/* warpfuzz: race-ok: \nwhy */", "a();\n// warpfuzz: race-ok why\n",           "a();\n// warpfuzz: race-ok",
};

START_TEST(test_meant_without_reason) {
  char *out = NULL, err[200] = "";
  const char *in = unreasoned[_i];
  ck_assert_int_eq(simt_rewrite_meant(in, strlen(in), "x.cu", &out, err, sizeof err), -1);
  ck_assert_str_eq(err, "x.cu:2: race-ok wants a reason: // warpfuzz: race-ok: why the race is meant");
  ck_assert_ptr_null(out);
}
END_TEST

/* ---- main() without what it does ---- */

static const struct {
  const char *in, *out;
} dropped[] = {
    {"int f() { return 1; }\nint main(int argc, char **argv) {\n  f(\"}\"); // }\n}\nint g;", "int f() { return 1; }\nint main(int argc, char **argv) {\n              \n}\nint g;"},
    {"auto main() -> int { a; }", "auto main() -> int {    }"},
    {"int main();\nint main(void)\n{\n#ifdef A\n  k<<<1, 1>>>();\n#endif\n}\n", "int main();\nint main(void)\n{\n        \n                \n      \n}\n"},
    {"#ifdef A\nint main() { a; }\n#else\nint main(int) { b; }\n#endif\n", "#ifdef A\nint main() {    }\n#else\nint main(int) {    }\n#endif\n"},
    {"struct S { int main() { return 1; } };\nnamespace n { int main() { x; } }", "struct S { int main() { return 1; } };\nnamespace n { int main() { x; } }"},
    {"int main() {\n#ifdef A\n}\n#else\n a; }\n#endif\n", "int main() {\n#ifdef A\n}\n#else\n a; }\n#endif\n"},
    {"int main_loop() { a; }\nint x = domain();", "int main_loop() { a; }\nint x = domain();"},
    {"int main( {", "int main( {"},
};

START_TEST(test_dropped) {
  char text[256];
  strcpy(text, dropped[_i].in);
  ck_assert_int_eq(simt_drop_main(text, strlen(text)), 0);
  ck_assert_str_eq(text, dropped[_i].out);
}
END_TEST

#define ADD_ROWS(tc, name) tcase_add_loop_test(tc, test_##name, 0, (int)(sizeof name / sizeof *name))

int main(void) {
  Suite *s = suite_create("rewrite");
  TCase *tc = tcase_create("rows");
  ADD_ROWS(tc, launches);
  ADD_ROWS(tc, asms);
  ADD_ROWS(tc, configurations);
  ADD_ROWS(tc, layout);
  ADD_ROWS(tc, macros);
  ADD_ROWS(tc, shared);
  ADD_ROWS(tc, errors);
  ADD_ROWS(tc, meant);
  ADD_ROWS(tc, dropped);
  tcase_add_loop_test(tc, test_meant_without_reason, 0, (int)(sizeof unreasoned / sizeof *unreasoned));
  tcase_add_test(tc, test_name_is_quoted);
  tcase_add_test(tc, test_prefixes);
  tcase_add_test(tc, test_moves);
  suite_add_tcase(s, tc);
  return suite_run(s);
}
