-- Files that people upload. The truth is here; what a disk of a process or of a
-- sandbox holds is a cache of it.

-- Files that were uploaded together: each of their tables is a dataset of one
-- semantic model. Hidden from deleted_at on; a sweep deletes it a minute later.
create table file_sets (
    id                uuid primary key default gen_random_uuid(),
    owner_id          uuid not null references users on delete cascade,
    name              text not null,
    description       text,
    prompts           json, -- questions to begin with: an array of texts
    -- uploading: not all files are whole; preparing: the model is not made yet;
    -- ready; failed: see failure
    status            text not null default 'uploading',
    failure           text,
    connection_id     uuid references connections on delete set null,
    semantic_model_id uuid references semantic_models on delete set null,
    ontology_id       uuid references ontologies on delete set null,
    created_at        timestamptz not null default now(),
    updated_at        timestamptz not null default now(),
    deleted_at        timestamptz
);
create index file_sets_owner on file_sets (owner_id, created_at);
create index file_sets_connection on file_sets (connection_id);
create index file_sets_model on file_sets (semantic_model_id);
create index file_sets_ontology on file_sets (ontology_id);
create index file_sets_unsettled on file_sets (updated_at)
    where deleted_at is not null or status in ('uploading', 'preparing');

create table files (
    id          uuid primary key default gen_random_uuid(),
    file_set_id uuid not null references file_sets on delete cascade,
    place       integer not null, -- in the order of the upload
    name        text not null,    -- as uploaded, without folders
    format      text not null,    -- csv, tsv, parquet, jsonl, xlsx
    bytes       bigint not null default 0,
    sha256      text,             -- in hex; null until the file is whole
    -- Its tables as the sandbox found them: an array of objects with name, sheet,
    -- read (how to read it again), rows, columns, sample, notes.
    tables      json,
    rows        bigint not null default 0, -- of all its tables
    unique (file_set_id, place)
);
create index files_sha256 on files (sha256);

-- A file in pieces of 1 MiB, in order from 0.
create table file_chunks (
    file_id uuid not null references files on delete cascade,
    n       integer not null,
    bytes   bytea not null,
    primary key (file_id, n)
);
alter table file_chunks alter column bytes set storage external;

-- A connection over a file set has db_type 'duckdb' and no address.
alter table connections add column file_set_id uuid
    references file_sets on delete cascade;
create unique index connections_file_set on connections (file_set_id);
