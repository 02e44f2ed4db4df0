select u.f from unnest(array['a', 'b']) u
