-- Work that is done behind the answer of a request. `run_at` and `finished_at` follow the service's clock, `locked_until`
-- the database's own: whether a process is alive is no matter of a clock that was moved. A failed job has no attempt left.
create table jobs (
  id uuid primary key,
  name text not null,
  payload json not null,
  key text,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
  priority smallint not null default 0,
  run_at timestamptz(3) not null,
  attempts int not null default 0,
  max_attempts int not null check (max_attempts > 0),
  holder uuid,
  locked_until timestamptz,
  progress json,
  last_error text,
  result json,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  check ((status = 'running') = (holder is not null)),
  check ((holder is null) = (locked_until is null)),
  check ((status in ('completed', 'failed')) = (finished_at is not null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
-->
create unique index jobs_key on jobs (key) where key is not null;
-->
create index jobs_open on jobs (status, priority desc, run_at, id) where finished_at is null;
-->
create index jobs_done on jobs (status, finished_at) where finished_at is not null;
