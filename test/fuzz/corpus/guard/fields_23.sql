select kv.key, kv.value from events, jsonb_each(payload) kv
