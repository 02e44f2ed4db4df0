/* config_value.h - one value of one setting: checked, and put into the struct. */
#pragma once
#include "cmd/config.h"

/* Puts `text` (not empty) into *c. False with the reason in *why, which never
 * shows a secret. `base` is the folder that a PATH is relative to. */
bool config_put(struct arena *arena, struct config *c, enum config_id id,
                struct str text, const char *base, struct str *why);

/* Of a field of type text. */
const char **config_text_at(struct config *c, enum config_id id);
/* The user's own folder, without a slash at its end. */
const char *config_user_folder(void);

/* One "name: value" of the file. False when `text` cannot be read as settings;
 * *why has the line and the reason. */
struct config_entry {
    struct str name, value;
    int line, column; /* of the name */
};
bool config_file_read(struct arena *arena, struct str text,
                      struct config_entry **entries, size_t *n,
                      struct str *why);
/* A whole file of at most 256 KiB; false with *why. */
bool config_slurp(struct arena *arena, const char *path, struct str *out,
                  struct str *why);

/* Whether the settings fit together. */
bool config_check(const struct config *c, struct buf *problems,
                  struct buf *warnings);
