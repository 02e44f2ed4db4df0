select p.x, p.y from (select location[0] as x, location[1] as y from places) p
