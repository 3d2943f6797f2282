-- Whether an import clears what its file has no column for.
alter table imports add column clear_missing boolean not null default false;
