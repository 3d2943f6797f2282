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
-->
-- An address that was never verified belongs to nobody: a sign-up is no account, but what one of maybe several people asked
-- for, each with a password of its own. Verifying one makes the account (`user_id`), and the others have lost. What is not
-- verified is kept until `kept_until`: 7 days, or as long as a link that was sent last.
create table sign_ups (
  id uuid primary key,
  email text not null,
  email_key text not null,
  name text,
  password_hash text,
  invite_use_id uuid references invite_uses (id) on delete set null,
  user_id uuid references users (id) on delete cascade,
  signed_up_at timestamptz(3) not null,
  kept_until timestamptz(3) not null
);
-->
create index sign_ups_address on sign_ups (email_key collate "C", signed_up_at desc, id desc) where user_id is null;
-->
create index sign_ups_kept on sign_ups (kept_until) where user_id is null;
-->
create index sign_ups_user on sign_ups (user_id);
-->
create index sign_ups_invite_use on sign_ups (invite_use_id);
-->
delete from verifications where replaced_at is not null;
-->
insert into sign_ups (id, email, email_key, name, password_hash, invite_use_id, user_id, signed_up_at, kept_until)
select v.id, u.email, u.email_key, v.name, v.password_hash, v.invite_use_id,
  case when u.verified_at is not null then u.id end, v.issued_at, v.issued_at + interval '7 days'
from verifications v join users u on u.id = v.user_id
on conflict (id) do nothing;
-->
alter table verifications add column sign_up_id uuid references sign_ups (id) on delete cascade;
-->
update verifications set sign_up_id = id;
-->
alter table verifications
  alter column sign_up_id set not null,
  drop column user_id, drop column password_hash, drop column name, drop column invite_use_id;
-->
create index verifications_sign_up on verifications (sign_up_id);
-->
delete from users where verified_at is null;
