/* ontologies.c - what may be asked about. */
#include "store/ontologies.h"
#include "request.h"
#include "base/banned.h"

static struct next ontologies_found(struct flow *f), ontology_found(struct flow *f);

static struct ontology_page *page_new(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct ontology_page *p = keep(f, struct ontology_page);
    p->store = request_store(q);
    p->user_id = q->user.id;
    p->all = request_may(q, MAY_ADMIN);
    p->page = 1;
    p->page_size = 1;
    q->state = p;
    return p;
}

struct next ontologies_list(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct ontology_page *p = page_new(f);
    if (!request_paging(q, &p->page, &p->page_size, 20))
        return back(f);
    return call(f, ontology_page_begin, p, ontologies_found);
}

static struct next ontologies_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct ontology_page *p = q->state;
    struct reply r;
    reply_page_open(q, &r);
    for (int i = 0; i < p->query->n_rows; i++) {
        json_put_object(&r.w);
        ontology_write(&r.w, p->query, i);
        json_put_object_end(&r.w);
    }
    reply_page_send(q, &r, p->page, p->page_size, p->total);
    return back(f);
}

struct next ontologies_get(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct ontology_page *p = page_new(f);
    if (!request_uuid(q, "id", &p->ontology_id))
        return back(f);
    return call(f, ontology_page_begin, p, ontology_found);
}

static struct next ontology_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct ontology_page *p = q->state;
    struct reply r;
    if (p->query->n_rows == 0) {
        reply_error(q, ERR_NOT_FOUND, "Ontology not found");
        return back(f);
    }
    reply_open(q, &r);
    json_put_object(&r.w);
    ontology_write(&r.w, p->query, 0);
    json_put_object_end(&r.w);
    reply_send(q, &r, 200);
    return back(f);
}
