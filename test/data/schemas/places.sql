-- Names are the keys, as text, and there is no number at all to join on.
--! key country (country_name)
--! key state (state_name)
--! key river (river_name)
--! link state (country_name) -> country (country_name)
--! link town (state_name) -> state (state_name)
--! link summit (state_name) -> state (state_name)
--! link flows (river_name) -> river (river_name)
--! link flows (state_name) -> state (state_name)
--! never state (density)
--! sum state (population)
--! never summit (summit_altitude)
--! never river (length_km)
create table country (country_name text, continent text);
create table state (state_name text, population bigint, area double precision, country_name text, capital text, density double precision);
create table town (town_name text, population bigint, state_name text);
create table summit (summit_name text, summit_altitude bigint, state_name text);
create table river (river_name text, length_km int);
create table flows (river_name text, state_name text);
insert into country select 'country ' || i, 'Europe' from generate_series(1, 6) i;
insert into state select 'state ' || i, i * 1000, i * 10.5, 'country ' || i % 6 + 1, 'town ' || i, i * 1.5 from generate_series(1, 12) i;
insert into town select 'town ' || i, i * 300, 'state ' || i % 12 + 1 from generate_series(1, 20) i;
insert into summit select 'summit ' || i, i * 100, 'state ' || i % 10 + 1 from generate_series(1, 11) i;
insert into river select 'river ' || i, i * 90 from generate_series(1, 7) i;
insert into flows select 'river ' || i % 7 + 1, 'state ' || i % 12 + 1 from generate_series(1, 16) i;
