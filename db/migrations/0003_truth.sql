-- What the maintained names and counts must be, recomputed from the rows: tests, `cardstock doctor` and the soak compare.
create view card_names as
select c.id, concat_ws(' ',
  nullif(c.number, ''),
  (
    select string_agg(case when o.player_id is not null then p.name else t.name end, ' / ' order by o.position)
    from oncard o left join players p on p.id = o.player_id left join teams t on t.id = o.team_id
    where o.card_id = c.id
  ),
  nullif(c.title, ''),
  (
    select string_agg(a.attribute, ' ' order by a.attribute collate "C")
    from card_attributes m join attributes a on a.id = m.attribute_id
    where m.card_id = c.id
  ),
  nullif(c.serial_number, '')
) as name
from cards c;
-->
create view true_tallies as
with live_cards as (
  select c.id, s.audience from cards c join sets s on s.id = c.set_id
  where c.deleted_at is null and s.audience >= 1
), borne as (
  select distinct c.id as card, c.audience, b.id as bearer
  from live_cards c join oncard o on o.card_id = c.id
  cross join lateral (values (o.player_id), (o.team_id), (o.player_team_id)) as b (id)
  where b.id is not null
  union
  select c.id, c.audience, m.attribute_id from live_cards c join card_attributes m on m.card_id = c.id
), whole as (select 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid as id),
counted (list, id, audience, is_root) as (
  select 1, r.id, s.audience, s.parent_id is null
  from sets s cross join whole w
  cross join lateral (values (s.genre_id), (s.year_id), (s.brand_id), (s.manufacturer_id), (s.parent_id), (w.id)) as r (id)
  where r.id is not null
  union all select 2, bearer, audience, false from borne
  union all
  select 3, r.id, pt.audience, false from player_teams pt cross join whole w
  cross join lateral (values (pt.player_id), (pt.team_id), (w.id)) as r (id)
  union all select 10, w.id, e.audience, false from attributes e cross join whole w
  union all select 11, w.id, e.audience, false from brands e cross join whole w
  union all select 12, w.id, e.audience, false from genres e cross join whole w
  union all select 13, w.id, e.audience, false from manufacturers e cross join whole w
  union all select 14, w.id, e.audience, false from years e cross join whole w
  union all select 15, w.id, e.audience, false from players e cross join whole w
  union all select 16, w.id, e.audience, false from teams e cross join whole w
  union all
  select 20, r.id, o.audience, false from object_attributes o cross join whole w
  cross join lateral (values (o.attribute_id), (o.object_id), (w.id), ((case o.object_type
    when 'card' then '00000000-0000-0000-0000-000000000001' when 'set' then '00000000-0000-0000-0000-000000000002'
    when 'player' then '00000000-0000-0000-0000-000000000003' else '00000000-0000-0000-0000-000000000004' end)::uuid)
  ) as r (id)
  union all
  select 21, r.id, i.audience, false from card_images i cross join whole w
  cross join lateral (values (i.card_id), (w.id)) as r (id)
  union all
  select 22, r.id, x.audience, false from set_sources x cross join whole w
  cross join lateral (values (x.set_id), (w.id)) as r (id)
)
select list::smallint as list, id,
  count(*) filter (where audience >= 1) as live, count(*) filter (where audience >= 2) as published,
  count(*) filter (where audience >= 1 and is_root) as live_roots,
  count(*) filter (where audience >= 2 and is_root) as published_roots
from counted group by list, id;
-->
create view true_blocks as
select level, case level when 1 then s.no >> 6 else s.no >> 12 end as block,
  count(*) as live, count(*) filter (where s.audience >= 2) as published
from cards c join sets s on s.id = c.set_id cross join (values (1), (2)) as levels (level)
where c.deleted_at is null and s.audience >= 1
group by 1, 2;
-->
-- One row for each maintained value that is not what it must be; empty where the catalog is sound.
create view drift as
select 'tally' as what, coalesce(t.list, m.list)::text || ' ' || coalesce(t.id, m.id)::text as place,
  concat_ws('/', t.live, t.published, t.live_roots, t.published_roots) as stored,
  concat_ws('/', m.live, m.published, m.live_roots, m.published_roots) as truth
from tallies t full join true_tallies m on m.list = t.list and m.id = t.id
where (coalesce(t.live, 0), coalesce(t.published, 0)) <> (coalesce(m.live, 0), coalesce(m.published, 0))
  or (coalesce(t.list, m.list) = 1
    and (coalesce(t.live_roots, 0), coalesce(t.published_roots, 0)) <> (coalesce(m.live_roots, 0), coalesce(m.published_roots, 0)))
union all
select 'block', coalesce(b.level::int, m.level)::text || ' ' || coalesce(b.block, m.block)::text,
  concat_ws('/', b.live, b.published), concat_ws('/', m.live, m.published)
from card_blocks b full join true_blocks m on m.level = b.level and m.block = b.block
where (coalesce(b.live, 0), coalesce(b.published, 0)) <> (coalesce(m.live, 0), coalesce(m.published, 0))
union all
select 'cards of set', s.id::text, s.live_cards::text, count(c.id)::text
from sets s left join cards c on c.set_id = s.id and c.deleted_at is null
group by s.id having s.live_cards <> count(c.id)
union all
select 'card name', c.id::text, c.name, n.name
from cards c join card_names n on n.id = c.id where c.deleted_at is null and c.name <> n.name
union all
select 'card place', c.id::text, c.set_no::text, s.no::text from cards c join sets s on s.id = c.set_id where c.set_no <> s.no
union all
select 'entry', o.card_id::text || ' ' || o.position, o.set_no || ' ' || o.number_key, c.set_no || ' ' || c.number_key
from oncard o join cards c on c.id = o.card_id
where (o.set_no, o.number_key) <> (c.set_no, c.number_key) and c.deleted_at is null
union all
select 'relationships of card', c.id::text, concat_ws(' ', c.oncard_ids, c.attribute_ids, c.image_ids),
  concat_ws(' ', e.ids, m.ids, i.ids)
from cards c
left join (
  select card_id, string_agg(case when player_team_id is not null then 'x' || player_team_id
    when player_id is not null then 'p' || player_id else 't' || team_id end, ',' order by position) as ids
  from oncard group by card_id
) e on e.card_id = c.id
left join (
  select m.card_id, string_agg(a.id::text, ',' order by a.attribute collate "C", a.id) as ids
  from card_attributes m join attributes a on a.id = m.attribute_id group by m.card_id
) m on m.card_id = c.id
left join (
  select card_id, string_agg(id::text, ',' order by created_at, id) as ids
  from card_images where deleted_at is null group by card_id
) i on i.card_id = c.id
where c.deleted_at is null and (c.oncard_ids is distinct from e.ids or c.attribute_ids is distinct from m.ids
  or c.image_ids is distinct from i.ids)
union all
select 'set audience', id::text, audience::text, status from sets
where audience <> case when deleted_at is not null then 0 when status = 'published' then 2 else 1 end
union all
select e.type || ' audience', e.id::text, e.audience::text, coalesce(t.published, 0)::text
from (
  select 'brand' as type, 1 as list, id, audience, deleted_at from brands
  union all select 'genre', 1, id, audience, deleted_at from genres
  union all select 'manufacturer', 1, id, audience, deleted_at from manufacturers
  union all select 'year', 1, id, audience, deleted_at from years
  union all select 'player', 2, id, audience, deleted_at from players
  union all select 'team', 2, id, audience, deleted_at from teams
  union all select 'player-team', 2, id, audience, deleted_at from player_teams
) e left join tallies t on t.list = e.list and t.id = e.id
where e.audience <> case when e.deleted_at is not null then 0 when coalesce(t.published, 0) > 0 then 2 else 1 end
union all
select 'image audience', i.id::text, i.audience::text, s.audience::text
from card_images i join cards c on c.id = i.card_id join sets s on s.id = c.set_id
where i.audience <> case when i.deleted_at is not null or c.deleted_at is not null then 0 else s.audience end
union all
select 'source audience', x.id::text, x.audience::text, s.audience::text
from set_sources x join sets s on s.id = x.set_id
where x.audience <> case when x.deleted_at is not null then 0 else s.audience end
union all
select 'year of set', s.id::text, s.year_key, y.name_key
from sets s left join years y on y.id = s.year_id where s.year_key is distinct from y.name_key;
