/* hidden.c - see hidden.h. The n-th dataset, field, relationship or metric of
 * the model is the n-th mapping of its list with a name, so a walk over both
 * finds the node of each. */
#include "hidden.h"
#include "ontology/columns.h"
#include "base/banned.h"

struct tree *osi_model_node(struct tree *root)
{
    struct tree *models = tree_get(root, "semantic_model");
    if (models)
        return models->kind == TREE_LIST ? models->first : models;
    if (root->kind == TREE_LIST && root->first)
        return tree_get(root->first, "datasets") ? root->first : NULL;
    return tree_get(root, "datasets") ? root : NULL;
}

struct tree *osi_datasets_node(struct tree *root)
{
    struct tree *model = osi_model_node(root);
    return model ? tree_get(model, "datasets") : root;
}

bool hidden_parts(const struct ontology *all)
{
    bool hidden = false;
    for (size_t i = 0; i < all->n_datasets; i++) {
        const struct dataset *d = &all->datasets[i];
        hidden |= d->hidden;
        for (size_t j = 0; j < d->n_fields; j++)
            hidden |= d->fields[j].hidden;
    }
    return hidden;
}

bool hidden_all(const struct ontology *all)
{
    for (size_t i = 0; i < all->n_datasets; i++)
        if (!all->datasets[i].hidden)
            return false;
    return all->n_datasets > 0;
}

/* ---- removal -------------------------------------------------------------- */

typedef bool is_hidden_fn(const void *parts, size_t i, struct tree *node);

/* Removes the items whose part is hidden. */
static void remove_items(struct tree *list, const void *parts,
                         is_hidden_fn *is_hidden)
{
    if (!list || list->kind != TREE_LIST)
        return;
    struct tree **at = &list->first;
    for (size_t i = 0; *at; i++) {
        if (is_hidden(parts, i, *at)) {
            *at = (*at)->next;
            list->n--;
        } else {
            at = &(*at)->next;
        }
    }
}

static bool field_is_hidden(const void *parts, size_t i, struct tree *node)
{
    (void)node;
    return ((const struct dataset *)parts)->fields[i].hidden;
}

/* A unique key that needs a hidden column would show that. */
static bool unique_key_is_hidden(const void *parts, size_t i, struct tree *node)
{
    const struct dataset *d = parts;
    (void)i;
    for (const struct tree *v = node->kind == TREE_LIST ? node->first : node; v;
         v = node->kind == TREE_LIST ? v->next : NULL)
        for (size_t f = 0; f < d->n_fields; f++)
            if (d->fields[f].hidden &&
                (str_eq_nocase(d->fields[f].column, str_trim(v->text)) ||
                 str_eq_nocase(d->fields[f].name, str_trim(v->text))))
                return true;
    return false;
}

static bool dataset_is_hidden(const void *parts, size_t i, struct tree *node)
{
    const struct dataset *d = &((const struct ontology *)parts)->datasets[i];
    if (d->hidden)
        return true;
    remove_items(tree_get(node, "fields"), d, field_is_hidden);
    remove_items(tree_get(node, "unique_keys"), d, unique_key_is_hidden);
    return false;
}

static bool relationship_is_hidden(const void *parts, size_t i,
                                   struct tree *node)
{
    const struct ontology *o = parts;
    const struct relationship *r = &o->relationships[i];
    (void)node;
    return o->datasets[r->from].hidden || o->datasets[r->to].hidden;
}

static bool metric_is_hidden(const void *parts, size_t i, struct tree *node)
{
    (void)node;
    return ((const struct ontology *)parts)->metrics[i].hidden;
}

void hidden_remove(struct tree *root, const struct ontology *all)
{
    struct tree *model = osi_model_node(root);
    struct tree *datasets = osi_datasets_node(root);
    if (datasets->kind == TREE_MAP) /* the only dataset, which is visible */
        dataset_is_hidden(all, 0, datasets);
    else
        remove_items(datasets, all, dataset_is_hidden);
    if (!model)
        return;
    remove_items(tree_get(model, "relationships"), all, relationship_is_hidden);
    remove_items(tree_get(model, "metrics"), all, metric_is_hidden);
}

/* ---- what is left --------------------------------------------------------- */

static bool hides_fields(const struct dataset *d)
{
    for (size_t i = 0; i < d->n_fields; i++)
        if (d->fields[i].hidden)
            return true;
    return false;
}

/* A dataset of which nothing is shown has a column that no query can name. */
static struct str_list shown_columns(struct arena *arena,
                                     const struct ontology *o, size_t dataset)
{
    struct str_list list = ontology_shown_columns(arena, o, dataset);
    if (!list.n) {
        list.items = arena_new(arena, struct str);
        list.items[list.n++] = STR("");
    }
    return list;
}

void hidden_mark(struct arena *arena, const struct ontology *all,
                 struct ontology *shown)
{
    size_t at = 0;
    shown->hides = true;
    for (size_t i = 0; i < all->n_datasets && at < shown->n_datasets; i++) {
        if (all->datasets[i].hidden)
            continue;
        /* A hidden field may be what declares the key. */
        if (!shown->datasets[at].primary_key.n)
            shown->datasets[at].primary_key = all->datasets[i].primary_key;
        if (hides_fields(&all->datasets[i]))
            shown->datasets[at].shown = shown_columns(arena, shown, at);
        at++;
    }
}
