/* emit_runtime.h - included by simt-cc ahead of emitted programs, whose main() it calls emitted_main(): tests/emit_engine.c calls that. */
#ifndef WF_TESTS_EMIT_RUNTIME_H
#define WF_TESTS_EMIT_RUNTIME_H
extern "C" int emitted_main(int argc, char **argv);
#endif
