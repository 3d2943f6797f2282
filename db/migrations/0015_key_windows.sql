-- The rate window of a key belongs to its user from now on, so that the next key continues it. Open windows are taken along.
insert into rate_windows (key, opened_at, closes_at, count)
select 'key ' || k.user_id, w.opened_at, w.closes_at, w.count
from (
  select distinct on (user_id) user_id, id from credentials where kind = 'subscriber_key'
  order by user_id, revoked_at desc nulls first, created_at desc, id desc
) k
join rate_windows w on w.key = 'credential ' || k.id
