-- What the flows of a run do, written by its owner when an admin asks (notice
-- `tell`): a JSON array of lines, and since when it is true.
alter table runs add column trail json, add column trail_at timestamptz;
