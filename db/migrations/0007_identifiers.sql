-- Identifiers: lists in the order of creation, as of everything that is attached to a record, and counts of them.
alter table identifiers add check
  (object_type in ('cards', 'sets', 'players', 'teams', 'brands', 'manufacturers', 'genres', 'years'));
-->
drop index identifiers_object;
-->
create index identifiers_object on identifiers (object_id, created_at, id);
-->
drop index identifiers_source;
-->
create index identifiers_source on identifiers (source, created_at, id) include (audience) where audience >= 1;
-->
create index identifiers_type on identifiers (object_type, created_at, id) include (audience) where audience >= 1;
-->
-- Lists 4 and 5 count cards by number and by the N of a serial number /N; list 1 counts sets by kind, list 23 identifiers by type of record
-- and by source, too.
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
  cross join lateral (values (s.genre_id), (s.year_id), (s.brand_id), (s.manufacturer_id), (s.parent_id), (w.id), ((case s.kind
    when 'base' then '00000000-0000-0000-0000-000000000001' when 'parallel' then '00000000-0000-0000-0000-000000000002'
    when 'insert' then '00000000-0000-0000-0000-000000000003' when 'autograph' then '00000000-0000-0000-0000-000000000004'
    else '00000000-0000-0000-0000-000000000005' end)::uuid)
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
  union all
  select 23, r.id, n.audience, false from identifiers n cross join whole w
  cross join lateral (values (n.object_id), (w.id), (md5(n.source)::uuid), ((case n.object_type
    when 'cards' then '00000000-0000-0000-0000-000000000001' when 'sets' then '00000000-0000-0000-0000-000000000002'
    when 'players' then '00000000-0000-0000-0000-000000000003' when 'teams' then '00000000-0000-0000-0000-000000000004'
    when 'brands' then '00000000-0000-0000-0000-000000000005' when 'manufacturers' then '00000000-0000-0000-0000-000000000006'
    when 'genres' then '00000000-0000-0000-0000-000000000007' else '00000000-0000-0000-0000-000000000008' end)::uuid)
  ) as r (id)
)
select list::smallint as list, id,
  count(*) filter (where audience >= 1) as live, count(*) filter (where audience >= 2) as published,
  count(*) filter (where audience >= 1 and is_root) as live_roots,
  count(*) filter (where audience >= 2 and is_root) as published_roots
from counted group by list, id;
