/* cc_objects.h - objects and archives that hold device code: bitcode in an ELF section, as simt-cc --pack leaves it. */
#ifndef WF_CC_OBJECTS_H
#define WF_CC_OBJECTS_H
#include <stddef.h>

/* Writes the device code of an object, or of each member of an archive, into files DIR/FIRST.bc, DIR/FIRST+1.bc ... Returns how many there
 * are; -1: the file cannot be read, or is damaged, or there is no room, one line in err. A file of any other kind has none. */
int wf_cc_unpack(const char *path, const char *dir, int first, char *err, size_t err_size);

#endif
