/* wording.c - splits a text into sentences and words; see wording.h. */
#include "wording.h"
#include "base/bytes16.h"
#include "base/banned.h"

static const char abbreviations[] =
    " vs e.g i.e approx no nr st mr mrs ms dr inc ltd co corp dept fig "
    "ca est incl excl avg max min ";

/* Whether `word` begins at `at` and ends with a space; `left` bytes follow. */
static bool is_entry(struct str word, const char *at, size_t left)
{
    return word.len < left && at[word.len] == ' ' &&
           !memcmp(at, word.ptr, word.len) && !memchr(at, ' ', word.len);
}

/* The lists are long, and most words are in none: sixteen places at a time. */
bool wording_among(struct str word, const char *list)
{
    size_t len = strlen(list), at = 0;
    if (!word.len)
        return false;
    for (; at + 17 <= len; at += 16) {
        bytes16 entry = (bytes16)((bytes16_load(list + at) == ' ') &
                                  (bytes16_load(list + at + 1) ==
                                   (unsigned char)*word.ptr));
        for (size_t i; (i = bytes16_first(entry)) < 16; entry[i] = 0)
            if (is_entry(word, list + at + i + 1, len - at - i - 1))
                return true;
    }
    for (; at + 1 < len; at++)
        if (list[at] == ' ' && is_entry(word, list + at + 1, len - at - 1))
            return true;
    return false;
}

struct str wording_stem(struct str word)
{
    static const char *const ends[] = {
        "ations", "ation", "ments", "ment", "ings", "ing", "ies", "ers",
        "er",     "ors",   "or",    "ed",   "es",   "s",   "y",   "e"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (word.len > strlen(ends[i]) + 3 && str_ends(word, str_of(ends[i]))) {
            word.len -= strlen(ends[i]);
            break;
        }
    if (word.len > 4 && word.ptr[word.len - 1] == word.ptr[word.len - 2])
        word.len--;
    return word;
}

/* All but the punctuation that texts have. */
bool wording_letter_beyond(struct str s)
{
    unsigned char c = (unsigned char)s.ptr[0];
    unsigned char d = s.len > 1 ? (unsigned char)s.ptr[1] : 0;
    unsigned char e = s.len > 2 ? (unsigned char)s.ptr[2] : 0;
    if (c < 0xc2)
        return false;
    if (c == 0xc2)
        return d == 0xaa || d == 0xb5 || d == 0xba;
    if (c == 0xe2) /* punctuation, arrows, symbols, lines, shapes */
        return d > 0xaf;
    if (c == 0xe3)
        return d != 0x80;
    if (c == 0xef)
        return !(d == 0xbb || (d == 0xbc && (e < 0x90 || e == 0x9a)));
    return c < 0xf0;
}

/* ---- words -------------------------------------------------------------- */

static char lower_of(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* After these a word has a capital letter although it is no name. */
static bool opens(struct str text, size_t at, size_t start)
{
    while (at > start && (text.ptr[at - 1] == ' ' || text.ptr[at - 1] == '#'))
        at--;
    if (at <= start)
        return true;
    char c = text.ptr[at - 1];
    return strchr("*_|:>([-\"", c) || (unsigned char)c >= 0x80;
}

static size_t word_end(struct str text, size_t at, size_t end)
{
    while (at < end && wording_letter(str_from(text, at)))
        at += wording_char(str_from(text, at));
    return at < end ? at : end;
}

bool wording_next(struct str text, size_t *from, size_t *to)
{
    size_t at = *from;
    while (at < text.len && (*to = word_end(text, at, text.len)) == at)
        at += wording_char(str_from(text, at));
    *from = at;
    return at < text.len;
}

void wording_lower(char *out, struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        out[i] = lower_of(s.ptr[i]);
}

/* Doubles the room of a list, which is the latest allocation of the arena. */
static void *grown(struct arena *arena, void *list, size_t *cap, size_t size)
{
    size_t before = *cap;
    *cap = before ? 2 * before : 4;
    return arena_resize(arena, list, before * size, *cap * size);
}

/* `lower` has the text in lower case. */
static void read_words(struct arena *arena, struct wording *p,
                       struct wording_sentence *s, const char *lower)
{
    struct str text = str_cut(p->text, 0, s->to);
    s->word = p->n_words;
    for (size_t at = s->from, end; wording_next(text, &at, &end); at = end) {
        if (p->n_words == p->words_cap)
            p->words = grown(arena, p->words, &p->words_cap, sizeof *p->words);
        char c = p->text.ptr[at];
        p->words[p->n_words++] =
            (struct wording_word){.from = at,
                                  .to = end,
                                  .lower = {lower + at, end - at},
                                  .capital = c >= 'A' && c <= 'Z',
                                  .first = opens(p->text, at, s->from)};
    }
    s->n_words = p->n_words - s->word;
}

/* ---- sentences ---------------------------------------------------------- */

struct line_reader {
    struct wording *wording;
    struct arena *arena;
    size_t at; /* of the line in the text */
    bool code;
    size_t top; /* of the table that the line is in; 0: none */
    bool in_table;
};

static void add_sentence(struct line_reader *r, size_t from, size_t to,
                         enum sentence_kind kind, size_t top)
{
    struct wording *p = r->wording;
    const char *t = p->text.ptr;
    while (from < to && (t[from] == ' ' || t[from] == '\t'))
        from++;
    while (to > from && (t[to - 1] == ' ' || t[to - 1] == '\r'))
        to--;
    if (from >= to)
        return;
    if (p->n_sentences == p->sentences_cap)
        p->sentences = grown(r->arena, p->sentences, &p->sentences_cap,
                             sizeof *p->sentences);
    p->sentences[p->n_sentences++] =
        (struct wording_sentence){from, to, kind, 0, 0, top};
}

static bool abbreviated(struct str line, size_t dot)
{
    size_t from = dot;
    char word[8];
    while (from > 0 &&
           (str_is_alnum(line.ptr[from - 1]) || line.ptr[from - 1] == '.'))
        from--;
    if (dot - from >= sizeof word)
        return false;
    for (size_t i = from; i < dot; i++)
        word[i - from] = lower_of(line.ptr[i]);
    return wording_among((struct str){word, dot - from}, abbreviations) ||
           (dot - from == 1 && !(word[0] >= '0' && word[0] <= '9'));
}

/* The end of the sentence at the start of the line. */
static size_t sentence_end(struct str line)
{
    for (size_t i = 0; i < line.len; i++) {
        char c = line.ptr[i];
        if (!strchr(".!?", c) || c == 0)
            continue;
        size_t end = i + 1;
        while (end < line.len && strchr("*_\"')]", line.ptr[end]) &&
               line.ptr[end])
            end++;
        if (end < line.len && line.ptr[end] == ' ' &&
            !(c == '.' && abbreviated(line, i)))
            return end;
        i = end - 1;
    }
    return line.len;
}

/* Bytes of "- ", "* ", "3. " or "> " and the spaces before; 0: no list. */
static size_t bullet_of(struct str line)
{
    size_t at = 0, digits = 0;
    while (at < line.len && (line.ptr[at] == ' ' || line.ptr[at] == '\t'))
        at++;
    while (at + digits < line.len && digits < 4 &&
           line.ptr[at + digits] >= '0' && line.ptr[at + digits] <= '9')
        digits++;
    size_t mark = at + digits;
    if (mark + 1 >= line.len || line.ptr[mark + 1] != ' ')
        return 0;
    return strchr(digits ? ".)" : "-*+>", line.ptr[mark]) && line.ptr[mark]
               ? mark + 2
               : 0;
}

static bool is_rule(struct str line)
{
    bool dash = false;
    for (size_t i = 0; i < line.len; i++) {
        dash = dash || line.ptr[i] == '-';
        if (!strchr("|-: ", line.ptr[i]) || !line.ptr[i])
            return false;
    }
    return dash;
}

static void read_prose(struct line_reader *r, struct str line)
{
    size_t bullet = bullet_of(line), at = bullet;
    enum sentence_kind kind = bullet ? SENTENCE_ITEM : SENTENCE_PROSE;
    size_t start = 0;
    while (at < line.len) {
        at += sentence_end(str_from(line, at));
        add_sentence(r, r->at + (kind == SENTENCE_ITEM ? bullet : start),
                     r->at + at, kind, 0);
        start = at;
        kind = SENTENCE_PROSE;
    }
}

static void read_table(struct line_reader *r, struct str line)
{
    struct wording *p = r->wording;
    bool top = !r->in_table;
    if (is_rule(line))
        return;
    if (top)
        r->top = p->n_sentences;
    add_sentence(r, r->at, r->at + line.len,
                 top ? SENTENCE_TABLE_TOP : SENTENCE_ROW, r->top);
    r->in_table = true;
}

static void read_line(struct line_reader *r, struct str line)
{
    struct str inner = str_trim(line);
    bool fence = str_starts(inner, STR("```")) || str_starts(inner, STR("~~~"));
    bool table = !r->code && inner.len > 1 && inner.ptr[0] == '|';
    r->in_table = r->in_table && table;
    if (fence)
        r->code = !r->code;
    else if (r->code)
        add_sentence(r, r->at, r->at + line.len, SENTENCE_CODE, 0);
    else if (table)
        read_table(r, line);
    else if (inner.len && inner.ptr[0] == '#')
        add_sentence(r, r->at, r->at + line.len, SENTENCE_HEADING, 0);
    else
        read_prose(r, line);
}

void wording_read(struct arena *arena, struct str text, struct wording *out)
{
    struct str rest = text, line;
    struct line_reader r = {.wording = out, .arena = arena};
    char *lower = arena_alloc(arena, text.len + 1);
    wording_lower(lower, text);
    *out = (struct wording){.text = text};
    while (str_split(&rest, '\n', &line)) {
        r.at = (size_t)(line.ptr - text.ptr);
        read_line(&r, line);
    }
    for (size_t i = 0; i < out->n_sentences; i++)
        read_words(arena, out, &out->sentences[i], lower);
}
