/* cc_objects.c - finds the section in ELF objects and in archives of them. */
#define _GNU_SOURCE
#include "cc_objects.h"
#include "finding.h"
#include <ar.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char section_name[] = ".simt.bitcode";

typedef struct Bytes {
  const unsigned char *at;
  size_t n;
} Bytes;

/* n bytes at `from`; at NULL: there are not so many. */
static Bytes part(Bytes b, uint64_t from, uint64_t n) {
  if (from > b.n || n > b.n - from) return (Bytes){NULL, 0};
  return (Bytes){b.at + from, n};
}

static int section_header(Bytes file, const Elf64_Ehdr *head, unsigned i, Elf64_Shdr *out) {
  Bytes b = part(file, head->e_shoff + (uint64_t)i * sizeof *out, sizeof *out);
  if (b.at) memcpy(out, b.at, sizeof *out);
  return b.at ? 0 : -1;
}

/* The section of that name; at NULL: there is none. */
static Bytes find_section(Bytes file) {
  const Bytes none = {NULL, 0};
  Elf64_Ehdr head;
  Elf64_Shdr names, s;
  if (file.n < sizeof head || memcmp(file.at, ELFMAG, SELFMAG) != 0 || file.at[EI_CLASS] != ELFCLASS64) return none;
  memcpy(&head, file.at, sizeof head);
  if (section_header(file, &head, head.e_shstrndx, &names)) return none;
  for (unsigned i = 0; i < head.e_shnum; i++) {
    if (section_header(file, &head, i, &s) || s.sh_type != SHT_PROGBITS) continue;
    Bytes name = part(file, names.sh_offset + s.sh_name, sizeof section_name);
    if (name.at && !memcmp(name.at, section_name, sizeof section_name)) return part(file, s.sh_offset, s.sh_size);
  }
  return none;
}

typedef struct Unpacking {
  const char *dir;
  int first, n;
  char *err;
  size_t err_size;
} Unpacking;

static int unpack_object(Unpacking *u, Bytes object) {
  Bytes code = find_section(object);
  char name[32];
  if (!code.at) return 0;
  snprintf(name, sizeof name, "%d.bc", u->first + u->n++);
  return wf_file_write_soon(u->dir, name, code.at, code.n, u->err, u->err_size);
}

/* -1 with a message; the names of members do not matter. */
static int unpack_archive(Unpacking *u, Bytes file, const char *path) {
  for (uint64_t at = SARMAG; at < file.n;) {
    Bytes head = part(file, at, sizeof(struct ar_hdr));
    char digits[11] = "";
    if (head.at) memcpy(digits, ((const struct ar_hdr *)head.at)->ar_size, 10);
    Bytes member = part(file, at + sizeof(struct ar_hdr), strtoull(digits, NULL, 10));
    if (!head.at || !member.at) {
      snprintf(u->err, u->err_size, "%.300s: the archive is damaged", path);
      return -1;
    }
    if (unpack_object(u, member)) return -1;
    at += sizeof(struct ar_hdr) + member.n + (member.n & 1);
  }
  return 0;
}

static int unpack(Unpacking *u, Bytes file, const char *path) {
  if (file.n >= SARMAG && !memcmp(file.at, ARMAG, SARMAG)) return unpack_archive(u, file, path);
  return unpack_object(u, file);
}

int wf_cc_unpack(const char *path, const char *dir, int first, char *err, size_t err_size) {
  Unpacking u = {dir, first, 0, err, err_size};
  struct stat st;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), rc = fd < 0 ? -1 : fstat(fd, &st);
  Bytes file = {NULL, 0};
  void *map = MAP_FAILED;
  if (!rc && S_ISREG(st.st_mode) && st.st_size > 0) {
    map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    rc = map == MAP_FAILED ? -1 : 0;
    file = (Bytes){map, (size_t)st.st_size};
  }
  if (rc) snprintf(err, err_size, "%.300s: %s", path, strerror(errno));
  if (fd >= 0) close(fd);
  if (!rc && map != MAP_FAILED) rc = unpack(&u, file, path);
  if (map != MAP_FAILED) munmap(map, file.n);
  return rc ? -1 : u.n;
}
