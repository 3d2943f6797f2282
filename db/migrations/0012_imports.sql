-- Checklists that came over HTTP, kept here until they are written: replicas share nothing else, and a job may run on any
-- of them. The pieces are packed already; they go when the import has ended well, the rest with its job.
create table imports (
  id uuid primary key,
  job_id uuid unique,
  name text not null,
  publish boolean not null,
  parallels boolean not null,
  bytes bigint,
  created_at timestamptz(3) not null,
  check ((job_id is null) = (bytes is null))
);
-->
create table import_pieces (
  import_id uuid not null references imports on delete cascade,
  no int not null,
  bytes bytea not null,
  primary key (import_id, no)
);
-->
alter table import_pieces alter column bytes set storage external;
-->
create table import_faults (
  import_id uuid not null references imports on delete cascade,
  no int not null,
  file text not null,
  line int not null,
  reason text not null,
  primary key (import_id, no)
);
