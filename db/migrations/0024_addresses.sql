-- The key of an e-mail address is made by the service alone (`emailKey`): what `lower` makes of letters beyond ASCII differs
-- from one database to the next, and made the addresses of two people one. Here, once, A to Z are replaced letter by letter,
-- which is the key of an address in ASCII. One with other letters, or that others had first, gets its id as its key: nobody
-- signs in with it, takes it over or gets its mails, until its owner, in a session that lives, changes to the address anew.
drop index if exists users_email_taken;
-->
alter table users alter column email_key drop expression;
-->
update users set email_key = case
  when octet_length(users.email) = char_length(users.email) and k.place = 1 then k.key else users.id::text end
from (
  select id, key, row_number() over (partition by key order by verified_at nulls last, created_at, id) as place
  from (
    select id, verified_at, created_at,
      translate(email, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') as key
    from users
  ) u
) k
where k.id = users.id;
-->
alter table users alter column email_key set not null;
-->
create unique index users_email_taken on users (email_key collate "C");
-->
drop index if exists waiting_list_email;
-->
alter table waiting_list alter column email_key drop expression;
-->
update waiting_list set email_key = case
  when octet_length(waiting_list.email) = char_length(waiting_list.email) and k.place = 1 then k.key
  else waiting_list.id::text end
from (
  select id, key, row_number() over (partition by key order by user_id nulls last, listed_at, id) as place
  from (
    select id, user_id, listed_at,
      translate(email, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') as key
    from waiting_list
  ) w
) k
where k.id = waiting_list.id;
-->
alter table waiting_list alter column email_key set not null;
-->
create unique index waiting_list_email on waiting_list (email_key collate "C");
