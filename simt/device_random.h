/* device_random.h - the XORWOW generator's jumps. */
#ifndef SIMT_DEVICE_RANDOM_H
#define SIMT_DEVICE_RANDOM_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Moves the five words of a state on by `sequences` times 2^67 steps and by `steps` more. */
void simt_xorwow_jump(uint32_t v[5], uint64_t sequences, uint64_t steps) __attribute__((nothrow));

#ifdef __cplusplus
}
#endif
#endif
