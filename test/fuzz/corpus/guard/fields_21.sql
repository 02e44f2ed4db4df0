select u.u from unnest(string_to_array('a,b', ',')) u
