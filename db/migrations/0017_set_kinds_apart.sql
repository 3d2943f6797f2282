-- The counts of sets (list 1) by kind get ids that no record has, too. An imported brand or set could have one of the former ids, 1 to 5.
create or replace view true_tallies as
with live_cards as (
  select c.id, c.number, c.serial_number, s.audience from cards c join sets s on s.id = c.set_id
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
  cross join lateral (values (s.genre_id), (s.year_id), (s.brand_id), (s.manufacturer_id), (s.parent_id), (w.id), (md5('kind ' || s.kind)::uuid)
  ) as r (id)
  where r.id is not null
  union all select 2, bearer, audience, false from borne
  union all
  select 4, coalesce(md5(number)::uuid, '00000000-0000-0000-0000-000000000000'), audience, false from live_cards
  union all
  select 5, ('00000000-0000-0000-0000-' || lpad((limited.digits::int)::text, 12, '0'))::uuid, audience, false
  from live_cards cross join lateral (select substring(serial_number from '/ ?([0-9]{1,9})$')) as limited (digits)
  where limited.digits is not null
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
  cross join lateral (
    values (o.attribute_id), (nullif(o.object_id, w.id)), (w.id), (md5('kind ' || o.object_type)::uuid)
  ) as r (id) where r.id is not null
  union all
  select 21, r.id, i.audience, false from card_images i cross join whole w
  cross join lateral (values (nullif(i.card_id, w.id)), (w.id)) as r (id) where r.id is not null
  union all
  select 22, r.id, x.audience, false from set_sources x cross join whole w
  cross join lateral (values (nullif(x.set_id, w.id)), (w.id)) as r (id) where r.id is not null
  union all
  select 23, r.id, n.audience, false from identifiers n cross join whole w
  cross join lateral (
    values (nullif(n.object_id, w.id)), (w.id), (md5(n.source)::uuid), (md5('kind ' || left(n.object_type, -1))::uuid)
  ) as r (id) where r.id is not null
)
select list::smallint as list, id,
  count(*) filter (where audience >= 1) as live, count(*) filter (where audience >= 2) as published,
  count(*) filter (where audience >= 1 and is_root) as live_roots,
  count(*) filter (where audience >= 2 and is_root) as published_roots
from counted group by list, id;
-->
delete from tallies where list = 1 and id between '00000000-0000-0000-0000-000000000001' and '00000000-0000-0000-0000-000000000005';
-->
insert into tallies (list, id, live, published, live_roots, published_roots)
select 1, r.id, count(*) filter (where s.audience >= 1), count(*) filter (where s.audience >= 2),
  count(*) filter (where s.audience >= 1 and s.parent_id is null),
  count(*) filter (where s.audience >= 2 and s.parent_id is null)
from sets s
cross join lateral (
  values (md5('kind ' || s.kind)::uuid), (s.genre_id), (s.year_id), (s.brand_id), (s.manufacturer_id), (s.parent_id)
) as r (id)
where r.id = md5('kind ' || s.kind)::uuid or r.id between '00000000-0000-0000-0000-000000000001' and '00000000-0000-0000-0000-000000000005'
group by r.id;
