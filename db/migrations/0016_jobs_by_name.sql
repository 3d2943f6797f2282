-- The list of one kind of job, the newest first.
create index jobs_name on jobs (name, id);
