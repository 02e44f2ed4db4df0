/* reader_rows.c - "rows", "records" and "entries", which count what a dataset has
 * without its name, and "in the file", which adds nothing.
 *
 * Where there is one dataset, the vocabulary knows these words as its name
 * (vocabulary.h). Where there are several, any of them may be meant: binding picks
 * the one that the rest of the question fits, or asks back. */
#include "reader.h"
#include "base/banned.h"

/* Every dataset, as what the word may mean. */
static struct choice all_datasets(const struct question_reader *reader)
{
    const struct ontology *o = reader->lexicon->ontology;
    struct choice all = {
        .terms = arena_new_array(reader->arena, struct term, o->n_datasets),
        .n = o->n_datasets,
        .words = reader_span(reader, reader->at, reader->at + 1),
        .n_words = 1};
    for (size_t i = 0; i < all.n; i++)
        all.terms[i] = (struct term){TERM_DATASET, WEIGHT_NAME, i, i};
    return all;
}

static bool follows_dataset(const struct question_reader *reader, size_t at)
{
    struct choice before =
        at ? reader_match(reader, at - 1) : (struct choice){.n = 0};
    return before.n_words == 1 && choice_has(&before, TERM_DATASET);
}

bool rows_read(struct question_reader *reader)
{
    size_t at = reader->at;
    if (!reader_in(reader, at, rows_words) || reader_match(reader, at).n)
        return false;
    /* "Number of order records": the orders. */
    if (reader->function == FUNCTION_NONE && follows_dataset(reader, at)) {
        reader->at++;
        return true;
    }
    if (reader->function != FUNCTION_COUNT)
        return false;
    measure_add(reader, (struct asked_measure){.function = FUNCTION_COUNT,
                                               .what = all_datasets(reader)});
    reader->function = FUNCTION_NONE;
    reader->superlative = 0;
    reader->at++;
    return true;
}

/* "The whole dataset" is all there is; a file or a table is all there is when
 * there is one. After the name of a dataset both say what it is. */
bool whole_read(struct question_reader *reader)
{
    static const char before[] =
        "in of from inside within does do the this that my our your whole "
        "entire uploaded csv excel parquet";
    static const char parts[] = "file table sheet spreadsheet csv";
    static const char wholes[] = "dataset data set upload database";
    size_t at = reader->at;
    bool named = follows_dataset(reader, at);
    bool one = named || reader->lexicon->ontology->n_datasets == 1;
    while (!named && reader_in(reader, at, before) &&
           (reader_in(reader, at + 1, before) ||
            reader_in(reader, at + 1, parts) ||
            reader_in(reader, at + 1, wholes)))
        at++;
    if (reader_match(reader, at).n || (!named && at == reader->at))
        return false;
    if (reader_phrase(reader, at, "data set"))
        at += 2;
    else if (reader_in(reader, at, "dataset upload database") ||
             (one && reader_in(reader, at, parts)))
        at++;
    else
        return false;
    reader->at = at;
    return true;
}
