-- A set's way to publication. Audience, year and genre are those of the set, kept by src/catalog/write; the row is the lock of
-- whoever changes a todo of the set, and is there as long as the set has todos.
create table workflows (
  set_id uuid primary key references sets (id) on delete cascade,
  id uuid not null unique,
  audience smallint not null check (audience between 0 and 2),
  year_id uuid,
  genre_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
) with (fillfactor = 80);
-->
create index workflows_draft on workflows (set_id) where audience = 1;
-->
-- `actionable` says that no earlier step is open, `live` that the set is not deleted. Year and genre are those of the set, all
-- zeros where it has none.
create table set_todos (
  id uuid primary key,
  set_id uuid not null references workflows (set_id) on delete cascade,
  step text not null check (step in
    ('discover_sources', 'fetch', 'parse', 'populate', 'validate', 'cleanup', 'publish', 'audit')),
  status text not null check (status in ('pending', 'in_progress', 'completed', 'skipped', 'review')),
  sort_order int not null,
  started_at timestamptz(3),
  completed_at timestamptz(3),
  completed_by text,
  notes text,
  issues_found boolean,
  actionable boolean not null,
  live boolean not null,
  year_id uuid not null,
  genre_id uuid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((status in ('completed', 'skipped')) = (completed_at is not null))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
-->
create unique index set_todos_step on set_todos (set_id, step);
-->
create index set_todos_actionable on set_todos (step, status, year_id, genre_id, updated_at, id) where actionable and live;
-->
-- How many todos each part of that index holds: the totals of lists, and where to find their first rows.
create table todo_counts (
  step text not null,
  status text not null,
  year_id uuid not null,
  genre_id uuid not null,
  todos int not null,
  primary key (step, status, year_id, genre_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
-->
-- Drafts, in the order of their creation.
create index sets_draft on sets (no) include (id) where audience = 1;
-->
-- What of all this is kept, recomputed from the rows.
create view true_todos as
with pipeline (step, place) as (
  values ('discover_sources', 1), ('fetch', 2), ('parse', 3), ('populate', 4), ('validate', 5), ('publish', 6)
), none as (select '00000000-0000-0000-0000-000000000000'::uuid as id)
select t.id, t.step, t.status, s.audience >= 1 as live, coalesce(s.year_id, none.id) as year_id,
  coalesce(s.genre_id, none.id) as genre_id,
  not exists (
    select 1 from set_todos o join pipeline q on q.step = o.step
    where o.set_id = t.set_id and q.place < p.place and o.status not in ('completed', 'skipped')
  ) as actionable
from set_todos t join sets s on s.id = t.set_id cross join none left join pipeline p on p.step = t.step;
-->
alter view drift rename to catalog_drift;
-->
create view drift as
select what, place, stored, truth from catalog_drift
union all
select 'workflow', w.set_id::text, concat_ws(' ', w.audience, w.year_id, w.genre_id),
  concat_ws(' ', s.audience, s.year_id, s.genre_id)
from workflows w join sets s on s.id = w.set_id
where (w.audience, w.year_id, w.genre_id) is distinct from (s.audience, s.year_id, s.genre_id)
union all
select 'workflow without todos', w.set_id::text, '0', '1 or more'
from workflows w where not exists (select 1 from set_todos t where t.set_id = w.set_id)
union all
select 'todo', t.id::text, concat_ws(' ', t.actionable, t.live, t.year_id, t.genre_id),
  concat_ws(' ', m.actionable, m.live, m.year_id, m.genre_id)
from set_todos t join true_todos m on m.id = t.id
where (t.actionable, t.live, t.year_id, t.genre_id) <> (m.actionable, m.live, m.year_id, m.genre_id)
union all
select 'todo count', concat_ws(' ', step, status, year_id, genre_id), coalesce(c.todos, 0)::text, coalesce(m.todos, 0)::text
from todo_counts c full join (
  select step, status, year_id, genre_id, count(*) as todos from true_todos
  where live and actionable group by step, status, year_id, genre_id
) m using (step, status, year_id, genre_id)
where coalesce(c.todos, 0) <> coalesce(m.todos, 0);
