-- A published set below one that isn't published is a root set to readers of published data, who don't see what is above it.
alter table sets add column parent_hidden boolean not null default false;
-->
update sets s set parent_hidden = true from sets p where p.id = s.parent_id and s.audience = 2 and p.audience < 2;
-->
drop index sets_name_roots,
  sets_genre_roots,
  sets_year_roots,
  sets_brand_roots,
  sets_manufacturer_roots,
  sets_year_key_roots,
  sets_created_at_roots,
  sets_updated_at_roots;
-->
create index sets_name_roots on sets (name_key collate "C", id) include (audience)
  where audience >= 1 and (parent_id is null or parent_hidden);
-->
create index sets_genre_roots on sets (genre_id, name_key collate "C", id) include (audience)
  where audience >= 1 and (parent_id is null or parent_hidden);
-->
create index sets_year_roots on sets (year_id, name_key collate "C", id) include (audience)
  where audience >= 1 and (parent_id is null or parent_hidden);
-->
create index sets_brand_roots on sets (brand_id, name_key collate "C", id) include (audience)
  where audience >= 1 and (parent_id is null or parent_hidden);
-->
create index sets_manufacturer_roots on sets (manufacturer_id, name_key collate "C", id) include (audience)
  where audience >= 1 and (parent_id is null or parent_hidden);
-->
create index sets_year_key_roots on sets (year_key collate "C", id) include (audience)
  where audience >= 1 and (parent_id is null or parent_hidden);
-->
create index sets_created_at_roots on sets (created_at, id) include (audience)
  where audience >= 1 and (parent_id is null or parent_hidden);
-->
create index sets_updated_at_roots on sets (updated_at, id) include (audience)
  where audience >= 1 and (parent_id is null or parent_hidden);
-->
create index sets_parent_hidden on sets (id) where parent_hidden;
-->
create or replace view drift as
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
where coalesce(c.todos, 0) <> coalesce(m.todos, 0)
union all
select 'set with a hidden parent', s.id::text, s.parent_hidden::text, (not s.parent_hidden)::text
from sets s left join sets p on p.id = s.parent_id
where s.parent_hidden <> (s.audience = 2 and coalesce(p.audience < 2, false));
