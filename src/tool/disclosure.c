/* disclosure.c - what of the data a model may see; see disclosure.h. */
#include "tool/disclosure.h"
#include "base/banned.h"

const struct str not_disclosed =
    STR("(The values are not shown to you: the owner of this database does not "
        "share them with language models. The user sees them next to your "
        "answer; never guess them.)");

bool disclose_rows(enum share_rows share, const struct sql_result *result)
{
    return share == SHARE_ALL ||
           (share == SHARE_AGGREGATES && result->aggregated);
}

bool disclose_derived(enum share_rows share, const struct step_results *made_of)
{
    if (share == SHARE_ALL)
        return true;
    for (size_t i = 0; made_of && i < made_of->n_results; i++) {
        const struct sql_result *s = made_of->results[i].sql_result;
        /* An empty result has the stored values nearest to what it looks for. */
        if (s && (!disclose_rows(share, s) || s->no_rows.len))
            return false;
    }
    return made_of && share == SHARE_AGGREGATES;
}

struct str disclose_error(enum share_rows share, struct str error,
                          bool about_text)
{
    if (share == SHARE_ALL || about_text)
        return error;
    return STR(
        "The query failed. The message is not shown to you, because it may "
        "quote values of the data.");
}

static struct str count_failed(struct arena *a,
                               const struct verification_report *report)
{
    size_t failed = 0;
    for (size_t i = 0; i < report->n_checks; i++)
        failed += !report->checks[i].passed;
    return arena_printf(a, "%zu of %zu checks failed. %.*s", failed,
                        report->n_checks, STR_ARG(not_disclosed));
}

struct str disclose_report(struct arena *a, enum share_rows share,
                           const struct verification_report *report,
                           const struct step_results *made_of)
{
    if (disclose_derived(share, made_of))
        return artifact_json(a, &verification_report_type, report);
    return arena_printf(a, "Status: %s. %.*s",
                        verification_statuses[report->status],
                        STR_ARG(count_failed(a, report)));
}

struct str disclose_diagnosis(struct arena *a, enum share_rows share,
                              const struct verification_report *report,
                              const struct step_results *made_of)
{
    return disclose_derived(share, made_of) ? report->diagnosis
                                            : count_failed(a, report);
}
