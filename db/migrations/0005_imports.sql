-- Imports that can be tried without writing, applied, undone and read about, and what they find again.
--
alter table imports add column overwrite boolean not null default false;
-->
alter table imports add column prune boolean not null default false;
-->
alter table imports add column dry_run boolean not null default false;
-->
-- How to read the file: headings of its own and its encoding.
alter table imports add column reading json;
-->
-- The dry run whose file an import reads, and the import that this one undoes.
alter table imports add column applies uuid;
-->
alter table imports add column undoes uuid;
-->
create unique index imports_undoes on imports (undoes) where undoes is not null;
-->
-- Imports that wrote the catalog, for as long as they can be undone, by a command or over HTTP.
create table import_runs (
  id uuid primary key,
  name text not null,
  agent text,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3)
);
-->
create index import_runs_created_at on import_runs (created_at);
-->
-- A refused row as its file has it, by heading.
alter table import_faults add column cells json;
-->
-- What an import tells of records: fields that it kept, cards that the file does not have, what it would change.
create table import_findings (
  import_id uuid not null references imports (id) on delete cascade,
  kind text not null check (kind in ('kept', 'missing', 'changes', 'left')),
  no int not null,
  finding json not null,
  primary key (import_id, kind, no)
);
-->
-- The cards that an import met and did not make, while it runs.
create table import_seen (
  id uuid primary key,
  import_id uuid not null,
  ids uuid[] not null
);
-->
create index import_seen_import on import_seen (import_id, id);
-->
-- Deleted cards, as an import looks for those that it names.
create index cards_deleted on cards (set_id, number_key collate "C", id) where deleted_at is not null;
