-- Versions of semantic models: each text that was saved, by whom and when, and
-- what it changed, in words. A restored version is a new one with an old text.

alter table semantic_models add column version integer not null default 1;

create table semantic_model_versions (
    semantic_model_id uuid not null references semantic_models on delete cascade,
    version           integer not null,
    source_text       text not null,
    author_id         uuid references users on delete set null,
    changes           json not null default '[]', -- sentences; empty: not known
    restores          integer, -- the version whose text it has
    created_at        timestamptz not null default now(),
    primary key (semantic_model_id, version)
);
create index semantic_model_versions_author on semantic_model_versions (author_id);

insert into semantic_model_versions (semantic_model_id, version, source_text, author_id, created_at)
select id, version, source_text, owner_id, updated_at from semantic_models;
