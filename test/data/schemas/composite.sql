-- Keys of two and three columns; the second is a number within the first.
--! key depots (depot_code)
--! key bays (depot_code, bay_no)
--! key pallets (pallet_id)
--! key routes (route_id)
--! key stops (route_id, stop_no)
--! link bays (depot_code) -> depots (depot_code)
--! link pallets (depot_code, bay_no) -> bays (depot_code, bay_no)
--! link stops (route_id) -> routes (route_id)
--! link stops (depot_code) -> depots (depot_code)
--! link drops (route_id, stop_no) -> stops (route_id, stop_no)
--! link pallets (depot_code) -> depots (depot_code)
--! link drops (route_id) -> routes (route_id)
--! link drops (pallet_id) -> pallets (pallet_id)
--! sum pallets (boxes)
--! never stops (stop_no)
create table depots (depot_code char(3), city text);
create table bays (depot_code char(3), bay_no int, width_cm int);
create table pallets (pallet_id int, depot_code char(3), bay_no int, boxes int);
create table routes (route_id int, name text);
create table stops (route_id int, stop_no int, depot_code char(3), due time);
create table drops (drop_id int, route_id int, stop_no int, pallet_id int);
insert into depots select 'D0' || i, 'city ' || i from generate_series(1, 6) i;
insert into bays select 'D0' || i, b, 200 + b from generate_series(1, 6) i, generate_series(1, 4) b;
insert into pallets select i, 'D0' || i % 6 + 1, i % 4 + 1, i * 3 from generate_series(1, 40) i;
insert into routes select i, 'route ' || i from generate_series(1, 5) i;
insert into stops select r, s, 'D0' || (r + s) % 6 + 1, time '08:00' + s * interval '20 minutes' from generate_series(1, 5) r, generate_series(1, 3) s;
insert into drops select i, i % 5 + 1, i % 3 + 1, i % 40 + 1 from generate_series(1, 30) i;
