-- What a user prefers: put by himself or captured from what he answered, and
-- what of it applies in an ontology.

create index data_agent_preferences_ontology on data_agent_preferences
    (ontology_id) where ontology_id is not null;

-- One value a key and a scope. No row comes back when the user has `p_most`
-- already and this would be one more.
create function put_preference(p_user uuid, p_ontology uuid, p_key text,
                               p_value text, p_source text, p_most integer)
returns setof data_agent_preferences language sql as $$
    insert into data_agent_preferences (user_id, ontology_id, key, value, source)
    select p_user, p_ontology, p_key, p_value, p_source
     where (select count(*) from data_agent_preferences
             where user_id = p_user) < p_most
        or exists (select from data_agent_preferences
                    where user_id = p_user and key = p_key
                      and ontology_id is not distinct from p_ontology)
        on conflict (user_id,
                     coalesce(ontology_id, '00000000-0000-0000-0000-000000000000'),
                     key)
        do update set value = excluded.value, source = excluded.source,
                      updated_at = clock_timestamp()
 returning *
$$;

-- The ontology's own go before the global ones of the same key.
create function effective_preferences(p_user uuid, p_ontology uuid)
returns setof data_agent_preferences language sql stable as $$
    select distinct on (key) *
      from data_agent_preferences
     where user_id = p_user
       and (ontology_id is null or ontology_id = p_ontology)
       and (key <> 'auto_capture_mode' or ontology_id is null)
     order by key, ontology_id nulls last
$$;
