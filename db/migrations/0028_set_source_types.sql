-- What a source was for, and when somebody last compared it with the set.
alter table set_sources
  add column source_type text not null default 'checklist' check (source_type in ('checklist', 'metadata', 'images')),
  add column verified_at timestamptz(3);
