-- A database with a row here mirrors the catalog of another service: nobody else writes its catalog.
create table mirror (
  one boolean primary key default true check (one),
  -- The address of the other service.
  source text not null,
  -- Where in its feed this catalog stands; null until it was filled once.
  cursor text,
  -- This catalog is that of the source as it was then.
  current_at timestamptz(3),
  last_applied_at timestamptz(3),
  -- While it is filled: the files that it is filled from, the step that is under way, and the id up to which that is done.
  is_filling boolean not null default true,
  files jsonb,
  step int not null default 0,
  step_after uuid,
  -- When the files were made from which it was filled last.
  filled_from timestamptz(3),
  -- The process that follows, and until when nobody else does.
  holder uuid,
  held_until timestamptz
) with (fillfactor = 50);
-->
-- Records and deletions of the source that cannot be applied yet: what they wait for has not come. Without a body it is a
-- deletion, without waits_for it is tried again.
create table mirror_waiting (
  type text not null,
  id uuid not null,
  waits_for uuid,
  body text,
  primary key (type, id)
);
-->
create index mirror_waiting_for on mirror_waiting (waits_for, type, id);
