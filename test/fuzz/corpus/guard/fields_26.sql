select k.k from events, jsonb_object_keys(payload) k
