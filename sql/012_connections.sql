-- A superuser's connection is refused where it is used, unless it says so. Those
-- that are here already were looked at when they were added.
update connections set options = options || '{"allowSuperuser": true}';
create index connections_visible on connections (name, id);
