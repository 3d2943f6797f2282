-- Accounts that people make themselves. `signed_up` are those that take founding slots.
alter table users add column signed_up boolean not null default false;
-->
-- The smallest number of days before the end of a trial at which its owner has been reminded.
alter table subscriptions add column reminded_days int;
-->
create index subscriptions_entitled on subscriptions (user_id) where status in ('trialing', 'active');
-->
create index subscriptions_trials on subscriptions (trial_ends_at) where status = 'trialing';
-->
create table invites (
  id uuid primary key,
  code_hash bytea not null,
  label text,
  email text,
  max_uses int not null check (max_uses > 0),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
-->
create unique index invites_code_taken on invites (code_hash);
-->
-- One row for each sign-up that an invite was used for: held until a time, or claimed for good.
create table invite_uses (
  id uuid primary key,
  invite_id uuid not null references invites (id) on delete cascade,
  held_until timestamptz(3) not null,
  claimed_at timestamptz(3)
);
-->
create index invite_uses_invite on invite_uses (invite_id);
-->
-- The links that prove an address. Each has the password of the sign-up that it was sent for, so that whoever opens the
-- link gets the account with that one. A replaced token answers for a minute more; a burned one stays known.
create table verifications (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  token_hash bytea not null,
  password_hash text,
  name text,
  invite_use_id uuid references invite_uses (id) on delete set null,
  issued_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  replaced_at timestamptz(3),
  burned_at timestamptz(3)
);
-->
create unique index verifications_token on verifications (token_hash);
-->
create index verifications_user on verifications (user_id);
-->
-- Who waits for a founding slot: an account that is verified, or an address that is to sign up.
create table waiting_list (
  id uuid primary key,
  email text not null,
  email_key text generated always as (lower(email)) stored,
  user_id uuid references users (id) on delete cascade,
  listed_at timestamptz(3) not null,
  offered_at timestamptz(3)
);
-->
create unique index waiting_list_email on waiting_list (email_key collate "C");
-->
create index waiting_list_user on waiting_list (user_id);
-->
create index waiting_list_oldest on waiting_list (listed_at, id) where offered_at is null;
-->
-- Whoever gives a founding slot away holds this row meanwhile.
insert into settings (name, value) values ('founding_slots', 'held by whoever gives one away');
-->
create table password_resets (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  expires_at timestamptz(3) not null
);
-->
create index password_resets_user on password_resets (user_id);
-->
create table email_changes (
  user_id uuid primary key references users (id) on delete cascade,
  email text not null,
  token_hash bytea not null,
  expires_at timestamptz(3) not null
);
-->
create unique index email_changes_token on email_changes (token_hash);
