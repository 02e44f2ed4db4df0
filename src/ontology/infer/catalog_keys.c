/* catalog_keys.c - questions about a catalog: is this a key, and which columns
 * hold personal data? Names alone decide the second. */
#include "ontology/catalog.h"
#include "../words.h"
#include "base/banned.h"

const struct catalog_key *catalog_primary(const struct catalog_table *t)
{
    return t->n_keys && t->keys[0].primary ? &t->keys[0] : NULL;
}

bool catalog_key_is_guess(const struct catalog_key *key)
{
    return key->found && (key->unseen || key->rows < CATALOG_FEW_ROWS);
}

static bool key_has_column(const struct catalog_key *key, size_t column)
{
    for (size_t i = 0; i < key->n; i++)
        if (key->columns[i] == column)
            return true;
    return false;
}

bool catalog_is_key(const struct catalog_table *t, const size_t *columns,
                    size_t n)
{
    for (size_t k = 0; k < t->n_keys; k++) {
        size_t same = 0;
        for (size_t i = 0; i < n && t->keys[k].n == n; i++)
            same += key_has_column(&t->keys[k], columns[i]);
        if (n && same == n)
            return true;
    }
    return false;
}

bool catalog_is_single_key(const struct catalog_table *t, size_t column)
{
    return catalog_is_key(t, &column, 1);
}

/* ---- personal data ------------------------------------------------------- */

static const char *const personal_words[] = {
    "email",     "mail",      "phone",       "telephone",   "tel",
    "mobile",    "cell",      "fax",         "address",     "street",
    "zip",       "zipcode",   "postal",      "postcode",    "birth",
    "birthday",  "birthdate", "dob",         "born",        "ssn",
    "passport",  "iban",      "bic",         "card",        "cvv",
    "cvc",       "password",  "passwd",      "pwd",         "passphrase",
    "secret",    "token",     "salt",        "hash",        "pin",
    "ip",        "latitude",  "longitude",   "lat",         "lng",
    "lon",       "gender",    "sex",         "religion",    "ethnicity",
    "salary",    "wage",      "nationality", "firstname",   "lastname",
    "surname",   "forename",  "fullname",    "nickname",    "username",
    "login",     "signature", "biography",   "bio",         "photo",
    "license",   "licence",   "plate",       "taxid",       "vat",
    "diagnosis", "apikey",    "credential",  "credentials", "note",
    "comment",   NULL};
static const char *const name_parts[] = {
    "first", "last",    "middle",  "full",  "given", "family", "maiden", "nick",
    "user",  "contact", "display", "legal", "sur",   "fore",   "real",   NULL};
/* Names of tables whose rows are persons. */
static const char *const persons[] = {
    "person",   "customer",   "employee",  "user",      "contact",
    "patient",  "student",    "member",    "client",    "author",
    "staff",    "teacher",    "account",   "guest",     "passenger",
    "driver",   "visitor",    "candidate", "applicant", "owner",
    "tenant",   "subscriber", "worker",    "people",    "participant",
    "attendee", "buyer",      "seller",    "donor",     NULL};

/* Words after the noun of a table name: customer_list, users_archive. */
static const char *const forms[] = {
    "list",    "lookup",    "info",     "data",     "detail",   "profile",
    "master",  "view",      "archive",  "history",  "record",   "all",
    "table",   "directory", "register", "registry", "base",     "copy",
    "backup",  "bak",       "old",      "new",      "tmp",      "temp",
    "export",  "import",    "raw",      "report",   "summary",  "v",
    "vw",      "mv",        "tbl",      "dim",      "snapshot", "active",
    "current", "latest",    "clean",    "flat",     NULL};
/* Parts of compound words: emailaddress, billingaddress1. */
static const char *const personal_parts[] = {
    "email",      "phone",      "address",    "birth",      "passw",
    "postalcode", "zipcode",    "creditcard", "cardnumber", "firstname",
    "lastname",   "middlename", "surname",    "fullname",   "username",
    "nationalid", "passport",   "marital",    "salary",     "loginid",
    "nickname",   NULL};

static bool has_personal_part(struct str word)
{
    for (size_t i = 0; personal_parts[i]; i++)
        if (str_find(word, str_of(personal_parts[i])) >= 0)
            return true;
    return false;
}

static bool is_table_suffix(struct str word)
{
    return word_among(word, forms) ||
           (word.len && word.ptr[0] >= '0' && word.ptr[0] <= '9');
}

bool catalog_is_of_persons(struct arena *arena, const struct catalog_table *t)
{
    struct name_words w = name_words(arena, t->name);
    while (w.n > 1 && is_table_suffix(w.one[w.n - 1]))
        w.n--;
    return w.n && word_among(w.one[w.n - 1], persons);
}

static bool is_personal(const struct name_words *w, bool of_persons)
{
    for (size_t i = 0; i < w->n; i++) {
        if (word_among(w->items[i], personal_words) ||
            word_among(w->one[i], personal_words) ||
            has_personal_part(w->items[i]))
            return true;
        bool name = str_is(w->one[i], "name");
        if (name &&
            (of_persons || (i && (word_among(w->items[i - 1], name_parts) ||
                                  word_among(w->one[i - 1], persons)))))
            return true;
    }
    return false;
}

static bool is_private_kind(enum column_kind kind)
{
    return kind != COLUMN_BOOLEAN && kind != COLUMN_ENUM;
}

static void mark_personal_columns(struct arena *scratch,
                                  struct catalog_table *t)
{
    bool of_persons = catalog_is_of_persons(scratch, t);
    for (size_t i = 0; i < t->n_columns; i++) {
        struct catalog_column *column = &t->columns[i];
        struct arena_mark mark = arena_mark(scratch);
        struct name_words w = name_words(scratch, column->name);
        column->personal =
            is_private_kind(column->kind) && is_personal(&w, of_persons);
        arena_reset(scratch, mark);
    }
}

void catalog_mark_personal(struct catalog *c)
{
    struct arena scratch;
    arena_init(&scratch, 0);
    for (size_t i = 0; i < c->n_tables; i++)
        mark_personal_columns(&scratch, &c->tables[i]);
    arena_done(&scratch);
}
