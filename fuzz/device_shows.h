/* device_shows.h - what a device can show of what the engine finds, declared by class beforehand. A device has no eye for causes: a race
 * is wrong values, other bits on a repeat, or nothing at all. */
#ifndef WF_DEVICE_SHOWS_H
#define WF_DEVICE_SHOWS_H
#include "../simt/simt.h"

/* Of a set of 1u << SimtClass that the engine found: the classes that the device may show instead. */
uint32_t wf_device_may_show(uint32_t engine);

/* Why a device need not show a class that the engine found; NULL: it has to show one of wf_device_may_show() of it. Static text. */
const char *wf_device_misses(SimtClass c);

/* Do both agree, as far as they can? 1: yes, both found the same, or neither anything. 0: no, but by what is declared: *why is set, static
 * text. -1: no, and nothing explains it. Sets are errors. */
int wf_device_agrees(uint32_t engine, uint32_t device, const char **why);

#endif
