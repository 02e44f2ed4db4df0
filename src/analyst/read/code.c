/* code.c - reads what the codes of a field mean from its description, and tells
 * flags from other fields. */
#include "code.h"
#include "field.h"
#include "words.h"
#include <string.h>
#include "base/banned.h"

enum { CODE_BYTES = 4, FEW_CODES = 3 };

/* ---- codes and their meanings -------------------------------------------- */

static bool is_one_of(char c, const char *chars)
{
    return c && strchr(chars, c);
}

/* "F", "AB", "10", "+": what is written like a code. */
static bool is_code(struct str text)
{
    static const char never[] = "null a i";
    bool capitals = text.len > 0 && text.len <= CODE_BYTES;
    if (list_has(never, text) && !(text.len == 1 && *text.ptr < 'a'))
        return false;
    if (text.len == 1)
        return str_is_alnum(*text.ptr) || is_one_of(*text.ptr, "+-*#!?");
    for (size_t i = 0; i < text.len; i++)
        capitals = capitals && str_is_alnum(text.ptr[i]) &&
                   (text.ptr[i] < 'a' || text.ptr[i] > 'z');
    return capitals;
}

static struct str unquoted(struct str text)
{
    text = str_trim(text);
    if (text.len > 2 && is_one_of(*text.ptr, "'\"`") &&
        text.ptr[text.len - 1] == *text.ptr)
        return str_cut(text, 1, text.len - 2);
    return text;
}

/* Cuts the text in two at a sign; false when the sign is not there. */
static bool cut_at(struct str text, struct str sign, struct str *before,
                   struct str *after)
{
    ptrdiff_t at = str_find(text, sign);
    if (at < 0)
        return false;
    *before = str_trim(str_cut(text, 0, (size_t)at));
    *after = str_trim(str_from(text, (size_t)at + sign.len));
    return before->len && after->len;
}

static bool pair_with_sign(struct str text, struct code *code)
{
    struct str before, after;
    if (cut_at(text, STR("="), &before, &after)) {
        before = unquoted(before);
        *code = (struct code){before, unquoted(after)};
        return str_find_char(before, ' ') < 0;
    }
    if ((cut_at(text, STR(": "), &before, &after) ||
         cut_at(text, STR(" - "), &before, &after)) &&
        is_code(unquoted(before))) {
        *code = (struct code){unquoted(before), unquoted(after)};
        return true;
    }
    return false;
}

/* "F (female)" and "female (F)". */
static bool pair_with_brackets(struct str text, struct code *code)
{
    struct str before, after;
    if (!str_ends(text, STR(")")) ||
        !cut_at(str_cut(text, 0, text.len - 1), STR("("), &before, &after))
        return false;
    before = unquoted(before);
    after = unquoted(after);
    bool first = is_code(before), last = is_code(after);
    *code = first ? (struct code){before, after} : (struct code){after, before};
    return first != last;
}

static bool pair_in_a_row(struct str text, struct code *code)
{
    struct str before, after;
    if (!cut_at(text, STR(" "), &before, &after) || !is_code(unquoted(before)))
        return false;
    *code = (struct code){unquoted(before), unquoted(after)};
    return after.ptr[0] >= 'a' && after.ptr[0] <= 'z';
}

bool code_begins(struct str text)
{
    struct code code;
    return pair_in_a_row(str_trim(text), &code);
}

static bool pair_read(struct str text, struct code *code)
{
    struct str before, after;
    if (!pair_with_sign(text, code) && !pair_with_brackets(text, code) &&
        !pair_in_a_row(text, code))
        return false;
    /* "S stat (at once)": a remark */
    if (str_ends(code->meaning, STR(")")) &&
        cut_at(code->meaning, STR(" ("), &before, &after))
        code->meaning = before;
    return true;
}

/* A pair, or one after an introduction: "Sex: F female", "Sex (F female". */
static bool item_read(struct str item, struct code *code)
{
    static const char *const joints[] = {"and ", "or ", NULL};
    struct str before, after;
    for (size_t i = 0; joints[i]; i++)
        if (str_starts(item, str_of(joints[i])))
            item = str_trim(str_from(item, strlen(joints[i])));
    bool opens = str_find_char(item, '(') >= 0;
    bool closes = str_find_char(item, ')') >= 0;
    if (opens && !closes)
        return cut_at(item, STR("("), &before, &after) &&
               pair_read(after, code);
    if (closes && !opens && str_ends(item, STR(")")))
        item = str_cut(item, 0, item.len - 1);
    return pair_read(item, code) ||
           (cut_at(item, STR(": "), &before, &after) && pair_read(after, code));
}

/* "Y if it was repeated" says when, and explains no code. */
static bool says_when(struct str sentence)
{
    return str_starts(sentence, STR("NULL ")) ||
           str_find(sentence, STR(" if ")) >= 0 ||
           str_find(sentence, STR(" unless ")) >= 0;
}

/* "NULL unknown", among codes: there is no value, and so no code. */
static bool is_absence(struct str item)
{
    return str_find(item, STR("NULL")) >= 0 ||
           str_find(item, STR("empty")) >= 0;
}

static size_t joint_at(struct str text, size_t at)
{
    static const char *const joints[] = {", ",  " or ", " and ",
                                         " / ", " | ",  NULL};
    for (size_t i = 0; joints[i]; i++)
        if (str_starts(str_from(text, at), str_of(joints[i])))
            return strlen(joints[i]);
    return at == text.len;
}

/* Adds the pairs of a sentence; false: something between them is none. */
static bool sentence_read(struct str sentence, struct code *codes, size_t *n)
{
    size_t from = 0, pairs = 0, items = 0;
    for (size_t at = 0; at <= sentence.len;) {
        size_t joint = joint_at(sentence, at);
        if (!joint) {
            at++;
            continue;
        }
        struct code code;
        struct str item = str_trim(str_cut(sentence, from, at - from));
        bool counts = item.len && !is_absence(item);
        items += counts;
        if (counts && item_read(item, &code)) {
            if (*n == CODES_MOST)
                return false;
            codes[(*n)++] = code;
            pairs++;
        }
        at += joint;
        from = at;
    }
    return !pairs || pairs == items;
}

static bool are_distinct(const struct code *codes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            if (str_eq_nocase(codes[i].code, codes[j].code) ||
                str_eq_nocase(codes[i].meaning, codes[j].meaning))
                return false;
    return true;
}

static bool is_example(const struct field *field, struct str value)
{
    for (size_t i = 0; i < field->hints.examples.n; i++)
        if (str_eq_nocase(field->hints.examples.items[i], value))
            return true;
    return false;
}

/* The examples are the codes, and not what they mean. */
static bool are_stored(const struct field *field, const struct code *codes,
                       size_t n)
{
    bool any = !field->hints.examples.n;
    for (size_t i = 0; i < n; i++) {
        any = any || is_example(field, codes[i].code);
        if (is_example(field, codes[i].meaning))
            return false;
    }
    return any;
}

size_t field_codes(const struct field *field, struct code codes[CODES_MOST])
{
    struct str text = field->description;
    size_t n = 0, from = 0;
    for (size_t at = 0; at <= text.len; at++) {
        char c = at < text.len ? text.ptr[at] : '.';
        char next = at + 1 < text.len ? text.ptr[at + 1] : ' ';
        if (c != ';' && c != '\n' && !(c == '.' && is_one_of(next, " \n")))
            continue;
        struct str sentence = str_trim(str_cut(text, from, at - from));
        from = at + 1;
        if (!says_when(sentence) && !sentence_read(sentence, codes, &n))
            return 0;
    }
    return n > 1 && are_distinct(codes, n) && are_stored(field, codes, n) ? n
                                                                          : 0;
}

bool field_has_code(const struct field *field, struct str text)
{
    struct code codes[CODES_MOST];
    size_t n = field_codes(field, codes);
    for (size_t i = 0; i < n; i++)
        if (str_eq(codes[i].code, text))
            return true;
    return is_example(field, text);
}

/* ---- flags ----------------------------------------------------------------- */

static const struct {
    const char *yes, *no;
    bool plain; /* says yes and no whatever the field is called */
} pairs[] = {{"Y", "N", true},
             {"yes", "no", true},
             {"true", "false", true},
             {"T", "F", false},
             {"1", "0", false}};

bool flag_prefix(struct str part)
{
    static const char prefixes[] = "is has was are have can does";
    return list_has(prefixes, part);
}

bool flag_suffix(struct str part)
{
    static const char suffixes[] = "yn flag ind indicator bool";
    return list_has(suffixes, part);
}

/* The name says that the field is a flag: is_active, smoker_yn, hasExams. */
static bool is_called_flag(const struct field *field)
{
    struct str name = field->name;
    size_t from = 0, n = 0;
    bool called = false;
    for (size_t at = 1; at <= name.len; at++) {
        char c = at < name.len ? name.ptr[at] : '_', before = name.ptr[at - 1];
        bool hump = c >= 'A' && c <= 'Z' && before >= 'a' && before <= 'z';
        struct str part = str_cut(name, from, at - from);
        if (c != '_' && c != ' ' && !hump)
            continue;
        called = called || (!n && flag_prefix(part)) ||
                 (at == name.len && flag_suffix(part));
        from = hump ? at : at + 1;
        n++;
    }
    return called && n > 1;
}

/* The text has the word by itself: "Y if it was repeated, else N". */
static bool has_word(struct str text, struct str word)
{
    for (size_t i = 0; i + word.len <= text.len; i++) {
        char before = i ? text.ptr[i - 1] : ' ';
        char after = i + word.len < text.len ? text.ptr[i + word.len] : ' ';
        if (str_eq(str_cut(text, i, word.len), word) && !str_is_alnum(before) &&
            !str_is_alnum(after))
            return true;
    }
    return false;
}

static bool has_digit(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] >= '0' && text.ptr[i] <= '9')
            return true;
    return false;
}

/* All examples are codes of the pair, or all that the description explains are. */
static bool is_pair(const struct field *field, struct str yes, struct str no,
                    bool called)
{
    const struct str_list *examples = &field->hints.examples;
    struct code codes[CODES_MOST];
    size_t n = field_codes(field, codes);
    for (size_t i = 0; i < examples->n; i++)
        if (!str_eq_nocase(examples->items[i], yes) &&
            !str_eq_nocase(examples->items[i], no))
            return false;
    if (examples->n)
        return examples->n == 2 || (examples->n == 1 && called);
    for (size_t i = 0; i < n; i++)
        if (!str_eq_nocase(codes[i].code, yes) &&
            !str_eq_nocase(codes[i].code, no))
            return false;
    return (n == 2) || (!n && called && has_word(field->description, yes) &&
                        has_word(field->description, no));
}

bool field_flag(const struct field *field, struct flag *flag)
{
    static const char yn[] = "yn";
    bool called = is_called_flag(field), number = field_is_number(field);
    *flag = (struct flag){.yes = {NULL, 0}};
    if (field_is_boolean(field))
        return true;
    if (!field_is_text(field) && !(number && called))
        return false;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct str yes = str_of(pairs[i].yes), no = str_of(pairs[i].no);
        if ((number && i + 1 < sizeof pairs / sizeof *pairs) ||
            (!called && !pairs[i].plain) || !is_pair(field, yes, no, called))
            continue;
        *flag = (struct flag){yes, no};
        return true;
    }
    /* Neither examples nor a description say what it holds, but the name does. */
    bool told = field->hints.examples.n || has_digit(field->description);
    if (number && !told)
        *flag = (struct flag){STR("1"), STR("0")};
    else if (!number && !field->hints.examples.n && !field->description.len &&
             name_has(field->name, yn))
        *flag = (struct flag){STR("Y"), STR("N")};
    return flag->yes.len > 0;
}

bool field_is_flag(const struct field *field)
{
    struct flag flag;
    return field_flag(field, &flag);
}

bool field_is_named(const struct field *field)
{
    return field_is_text(field) && !field_is_flag(field);
}

bool field_has_codes(const struct field *field)
{
    struct code codes[CODES_MOST];
    const struct str_list *examples = &field->hints.examples;
    bool few = examples->n > 0 && examples->n <= FEW_CODES;
    size_t n = field_codes(field, codes);
    if (field_is_flag(field) || (n && n <= FEW_CODES))
        return true;
    for (size_t i = 0; few && i < examples->n; i++)
        few = examples->items[i].len <= CODE_BYTES;
    return (few && !field_is_place(field)) ||
           (is_called_flag(field) && !field_is_number(field));
}
