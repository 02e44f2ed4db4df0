-- Semantic models and ontologies as the API shows, makes and removes them.

-- What is removed is hidden at once and goes a minute later, with its chats.
alter table semantic_models
    add column database_name      text, -- null: the connection's own
    add column osi_version        text,
    add column dataset_count      integer not null default 0,
    add column relationship_count integer not null default 0,
    add column metric_count       integer not null default 0,
    add column deleted_at         timestamptz;
alter table ontologies
    add column deleted_at timestamptz;

update semantic_models set
    osi_version        = model ->> 'version',
    dataset_count      = coalesce(json_array_length(model -> 'datasets'), 0),
    relationship_count = coalesce(json_array_length(model -> 'relationships'), 0),
    metric_count       = coalesce(json_array_length(model -> 'metrics'), 0);

create index semantic_models_connection on semantic_models (connection_id);
create index semantic_models_deleted on semantic_models (deleted_at)
    where deleted_at is not null;
create index ontologies_model on ontologies (semantic_model_id);
create index ontologies_unsettled on ontologies (updated_at)
    where deleted_at is not null or status = 'creating';
