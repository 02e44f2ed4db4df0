-- The vectors of large ontologies a second time, as the type that pgvector takes,
-- where pgvector was there when they were stored; null otherwise.
alter table ontology_embeddings add column elements real[];

-- A program from before this column changes vectors without it: what is there is
-- of another vector then.
create function forget_elements() returns trigger language plpgsql as $$
begin
    new.elements := null;
    return new;
end $$;
create trigger forget_elements before update on ontology_embeddings
    for each row when (old.elements is not null
        and new.vector <> old.vector and new.elements = old.elements)
    execute function forget_elements();
