/* helper_string.h - the names that programs know from NVIDIA's samples: options on a command line, files. The text is ours; a file of this name
 * beside the user's source, or in a directory of -I, is taken instead. */
#ifndef SIMT_HELPER_STRING_H
#define SIMT_HELPER_STRING_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <string>

#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#endif
#ifndef STRNCASECMP
#define STRNCASECMP strncasecmp
#endif
#ifndef STRCPY
#define STRCPY(to, bytes, from) strcpy(to, from)
#endif
#ifndef FOPEN
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#endif
#ifndef FOPEN_FAIL
#define FOPEN_FAIL(result) ((result) == NULL)
#endif
#ifndef SSCANF
#define SSCANF sscanf
#endif
#ifndef SPRINTF
#define SPRINTF sprintf
#endif
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

/* The first character behind the delimiters that `text` begins with. */
inline int stringRemoveDelimiter(char delimiter, const char *text) {
  int at = 0;
  while (text[at] == delimiter && text[at]) at++;
  return at;
}

inline int getFileExtension(char *name, char **extension) {
  char *dot = strrchr(name, '.');
  *extension = dot ? dot + 1 : NULL;
  return dot ? static_cast<int>(dot - name) : 0;
}

namespace simt {

/* -NAME, --NAME, NAME or -NAME=VALUE among the arguments: what follows the name, from the = on; NULL: it is not there. The last one counts.
 * Programs write the = as a part of the name, too. */
inline const char *sample_option(int argc, const char *const *argv, const char *name) {
  size_t len = strlen(name);
  if (len && name[len - 1] == '=') len--;
  const char *found = NULL;
  for (int i = 1; i < argc; i++) {
    const char *text = argv[i] + stringRemoveDelimiter('-', argv[i]);
    if (strncasecmp(text, name, len) == 0 && (!text[len] || text[len] == '=')) found = text + len;
  }
  return found;
}

inline const char *sample_value(int argc, const char *const *argv, const char *name) {
  const char *rest = sample_option(argc, argv, name);
  return rest && *rest == '=' ? rest + 1 : rest;
}

} // namespace simt

inline bool checkCmdLineFlag(int argc, const char **argv, const char *name) { return simt::sample_option(argc, argv, name) != NULL; }

inline int getCmdLineArgumentInt(int argc, const char **argv, const char *name) {
  const char *value = simt::sample_value(argc, argv, name);
  return value ? atoi(value) : 0;
}

inline float getCmdLineArgumentFloat(int argc, const char **argv, const char *name) {
  const char *value = simt::sample_value(argc, argv, name);
  return value ? static_cast<float>(atof(value)) : 0;
}

template <class T> inline bool getCmdLineArgumentValue(int argc, const char **argv, const char *name, T *value) {
  const char *text = simt::sample_value(argc, argv, name);
  if (text && *text) *value = static_cast<T>(atoi(text));
  return text != NULL;
}

inline bool getCmdLineArgumentString(int argc, const char **argv, const char *name, char **value) {
  const char *rest = simt::sample_option(argc, argv, name);
  const bool has_value = rest && *rest == '=';
  *value = has_value ? const_cast<char *>(rest + 1) : NULL;
  return has_value;
}

/* A file of the program's: where it is said, in data/, or beside the program. NULL: nowhere. The caller frees it. */
inline char *sdkFindFilePath(const char *name, const char *program) {
  const char *slash = program ? strrchr(program, '/') : NULL;
  const std::string beside = slash ? std::string(program, static_cast<size_t>(slash - program) + 1) : std::string("./");
  const std::string places[] = {name, std::string("data/") + name, beside + name, beside + "data/" + name};
  for (const std::string &place : places)
    if (FILE *file = fopen(place.c_str(), "rb")) {
      fclose(file);
      return strdup(place.c_str());
    }
  return NULL;
}

#endif
