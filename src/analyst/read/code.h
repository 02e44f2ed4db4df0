/* code.h - fields that hold codes: what the codes mean, by the description of the
 * field ("F female, M male"), and which fields are flags, with a code for yes and one
 * for no. */
#pragma once
#include "ontology/model.h"

enum { CODES_MOST = 16 };

struct code {
    struct str code, meaning;
};

/* The codes that the description explains: "F female", "F = female", "F: female",
 * "F (female)", "female (F)". Returns how many; 0 when it is not certain which words
 * belong to which code, or when the field's examples are no such codes. */
size_t field_codes(const struct field *field, struct code codes[CODES_MOST]);

/* The text is one of the field's examples or of those codes. */
bool field_has_code(const struct field *field, struct str text);
/* The text is a code and words: "F female". */
bool code_begins(struct str text);

/* The codes of a flag; both are empty for a Boolean. */
struct flag {
    struct str yes, no;
};

/* The field says yes or no: a Boolean, or a column whose codes for both are known. */
bool field_is_flag(const struct field *field);
/* The same, with the codes. */
bool field_flag(const struct field *field, struct flag *flag);
/* Its values are names, which people put before it: "online channel". "Male smoker"
 * is no value of the flag. */
bool field_is_named(const struct field *field);
/* The field is a flag or has few codes, which are no things to be counted. */
bool field_has_codes(const struct field *field);
/* A part of a flag's name that says that it is one: is_active, smoker_yn. */
bool flag_prefix(struct str part);
bool flag_suffix(struct str part);
