/* field.c - guesses from datatypes and names: what a field holds, which
 * field names the rows of a dataset, and which one groups rows well. */
#include "field.h"
#include "words.h"
#include <stdint.h>
#include "base/banned.h"

static bool type_begins(const struct field *field, const char *types)
{
    struct str rest = str_of(types), type;
    while (str_split(&rest, ' ', &type))
        if (str_eq_nocase(str_cut(field->datatype, 0, type.len), type))
            return true;
    return false;
}

static bool is_hump(struct str name, size_t at)
{
    char c = name.ptr[at], before = at ? name.ptr[at - 1] : '_';
    return c >= 'A' && c <= 'Z' && before >= 'a' && before <= 'z';
}

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || (unsigned char)c >= 0x80;
}

/* "nm" is name, and "fname" first and name. */
static bool in_full_has(struct str part, const char *words)
{
    struct str full = word_in_full(part), word;
    while (str_split(&full, ' ', &word))
        if (list_has(words, word))
            return true;
    return false;
}

bool name_has(struct str name, const char *words)
{
    size_t from = 0;
    for (size_t at = 0; at <= name.len; at++) {
        bool inside = at < name.len && is_name_char(name.ptr[at]);
        bool hump = inside && is_hump(name, at);
        if (inside && !hump)
            continue;
        struct str part = str_cut(name, from, at - from);
        if (part.len && (list_has(words, part) || in_full_has(part, words)))
            return true;
        from = hump ? at : at + 1;
    }
    return false;
}

static const char id_words[] = "id ids sk key uuid guid hash pk fk";

bool field_is_id(const struct field *field)
{
    return field->is_key || name_has(field->name, id_words);
}

bool field_is_number(const struct field *field)
{
    static const char types[] =
        "int dec num float doub real money big small curr serial long tiny "
        "fixed uint";
    static const char intervals[] = "interval";
    static const char words[] =
        "amount price cost total quantity count revenue sales profit rate "
        "percent discount tax size weight score duration employees qty "
        "balance salary distance freight units budget age margin rating fee "
        "points";
    if (field->datatype.len)
        return type_begins(field, types) && !type_begins(field, intervals);
    return !field_is_id(field) && !field->is_time &&
           name_has(field->name, words);
}

bool field_is_boolean(const struct field *field)
{
    static const char types[] = "bool logical";
    return type_begins(field, types);
}

bool field_is_date(const struct field *field)
{
    static const char types[] = "date timestamp";
    static const char words[] = "date at on time timestamp datetime day when";
    static const char parts[] =
        "year month quarter week name hour dow number num of season";
    if (field->datatype.len)
        return type_begins(field, types);
    return field->is_time && !field_is_id(field) &&
           name_has(field->name, words) && !name_has(field->name, parts);
}

bool field_is_year(const struct field *field)
{
    static const char words[] = "year yr yearid";
    /* sales_last_year is an amount, not a year */
    static const char others[] = "last next prior previous this to per over";
    return !field_is_date(field) && name_has(field->name, words) &&
           !name_has(field->name, others);
}

bool field_is_text(const struct field *field)
{
    static const char types[] =
        "str text char varc enum citext categ bpchar nvarc nchar";
    if (name_has(field->name, id_words))
        return false;
    if (field->datatype.len)
        return type_begins(field, types);
    return !field_is_id(field) && !field->is_time && !field_is_number(field);
}

bool field_is_level(const struct field *field)
{
    static const char words[] =
        "price rate ratio percent percentage pct age score rating temperature "
        "discount margin average avg level rank year latitude longitude grade "
        "density speed width height per share milliseconds duration limit "
        "floor";
    return name_has(field->name, words);
}

bool field_is_place(const struct field *field)
{
    static const char words[] =
        "city town state province country region location territory county "
        "market nation continent district area warehouse zone place";
    return name_has(field->name, words);
}

/* ---- what a thing is called --------------------------------------------- */

static bool is_among(struct str_list columns, const struct field *field)
{
    return columns.n == 1 && (str_eq_nocase(columns.items[0], field->name) ||
                              str_eq_nocase(columns.items[0], field->column));
}

bool dataset_unique(const struct dataset *dataset, const struct field *field)
{
    if (is_among(dataset->primary_key, field))
        return true;
    for (size_t i = 0; i < dataset->n_unique_keys; i++)
        if (is_among(dataset->unique_keys[i], field))
            return true;
    return false;
}

/* People with first and last names: their title is a job, and not a name. */
static bool has_names(const struct dataset *dataset)
{
    static const char first[] = "first given forename";
    static const char last[] = "last family surname";
    bool found[2] = {false, false};
    for (size_t i = 0; i < dataset->n_fields; i++) {
        found[0] = found[0] || name_has(dataset->fields[i].name, first);
        found[1] = found[1] || name_has(dataset->fields[i].name, last);
    }
    return found[0] && found[1];
}

/* The rows are persons: they have first or last names. */
static bool has_persons(const struct dataset *dataset)
{
    static const char parts[] = "first last given family surname forename";
    static const char names[] = "name surname forename";
    for (size_t i = 0; i < dataset->n_fields; i++)
        if (name_has(dataset->fields[i].name, parts) &&
            name_has(dataset->fields[i].name, names))
            return true;
    return false;
}

static int label_score(const struct dataset *dataset, const struct field *field,
                       bool persons)
{
    static const char names[] = "name title fullname surname";
    static const char full[] = "full display";
    static const char weak[] =
        "description desc label code number subject email mail";
    static const char codes[] = "code number email mail";
    static const char parts[] =
        "first last middle given family contact file user courtesy nick ship "
        "billing surname";
    static const char others[] =
        "school college university company employer department team city "
        "country program course branch bank store host domain street";
    int score = 0;
    static const char title[] = "title";
    if (!field_is_text(field) ||
        (name_has(field->name, title) && has_names(dataset)))
        return 0;
    if (name_has(field->name, names))
        score = name_has(field->name, parts) ? 2 : 6;
    else if (name_has(field->name, weak))
        score = 1;
    if (score == 1 && name_has(field->name, codes) &&
        !dataset_unique(dataset, field))
        return 0; /* the code of the carrier of a flight */
    if (score && name_has(field->name, full))
        score += 2;
    if (str_eq_nocase(field->name, STR("name")))
        score += 3;
    /* Persons are called by their names, not by what is unique of them, nor by
     * the names of what they belong to. */
    if (persons && (score == 1 || name_has(field->name, others)))
        return score > 0;
    if (dataset_unique(dataset, field))
        score += 3;
    return score;
}

/* The only text of a dataset that has nothing else but keys: a keyword's word. */
static size_t only_text(const struct dataset *d)
{
    size_t text = SIZE_MAX;
    for (size_t i = 0; i < d->n_fields; i++) {
        bool key =
            field_is_id(&d->fields[i]) || dataset_unique(d, &d->fields[i]);
        if (key)
            continue;
        if (text != SIZE_MAX || !field_is_text(&d->fields[i]))
            return SIZE_MAX;
        text = i;
    }
    return d->primary_key.n == 1 ? text : SIZE_MAX;
}

size_t dataset_label(const struct dataset *dataset)
{
    size_t best = only_text(dataset);
    int most = 0;
    bool persons = has_persons(dataset);
    for (size_t i = 0; i < dataset->n_fields; i++) {
        int score = label_score(dataset, &dataset->fields[i], persons);
        if (score > most) {
            most = score;
            best = i;
        }
    }
    return best;
}

int field_grouping(const struct dataset *d, const struct field *field)
{
    static const char good[] =
        "category segment type status channel group genre class kind method "
        "brand";
    static const char bad[] =
        "name description email address phone url code notes fax title "
        "comment zip postal first last";
    if (!field_is_text(field) || dataset_unique(d, field) ||
        name_has(field->name, bad))
        return 0;
    if (name_has(field->name, good))
        return 3;
    return field_is_place(field) ? 2 : 1;
}
