-- People, what they pay for, and what they sign in with.
create table users (
  id uuid primary key,
  email text not null,
  email_key text generated always as (lower(email)) stored,
  name text,
  password_hash text,
  operator boolean not null default false,
  verified_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
-->
create unique index users_email_taken on users (email_key collate "C");
-->
create table subscriptions (
  user_id uuid primary key references users (id) on delete cascade,
  plan text check (plan in ('trial', 'starter', 'pro')),
  status text not null check (status in ('trialing', 'active', 'past_due', 'canceled', 'paused')),
  trial_ends_at timestamptz(3),
  current_period_end timestamptz(3),
  cancel_at_period_end boolean not null default false,
  stripe_customer_id text unique,
  stripe_subscription_id text unique,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
-->
-- Whatever opens the door: only hashes are kept. `plan_*` is what the plan writes on a key. `agreed_*` is an allowance by
-- agreement, which goes before it; `next_*` takes its place at `next_from`, where null means that the agreement ends.
create table credentials (
  id uuid primary key,
  kind text not null check (kind in ('subscriber_key', 'personal_token', 'oauth_client', 'session')),
  user_id uuid not null references users (id) on delete cascade,
  name text,
  secret_hash bytea not null unique,
  last_four text not null,
  scopes text[] not null default '{}',
  internal_approved boolean not null default false,
  internal_pool boolean not null default false,
  plan_limit int check (plan_limit > 0),
  plan_window_seconds int check (plan_window_seconds > 0),
  agreed_limit int check (agreed_limit > 0),
  agreed_window_seconds int check (agreed_window_seconds > 0),
  next_limit int check (next_limit > 0),
  next_window_seconds int check (next_window_seconds > 0),
  next_from timestamptz(3),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null,
  check ((plan_limit is null) = (plan_window_seconds is null)),
  check ((agreed_limit is null) = (agreed_window_seconds is null)),
  check ((next_limit is null) = (next_window_seconds is null))
);
-->
create index credentials_owner on credentials (user_id, kind, created_at);
-->
create unique index credentials_one_key on credentials (user_id) where kind = 'subscriber_key' and revoked_at is null;
-->
-- One row a fixed window. Rows are rewritten at every request, so pages keep half of their room for the next version.
create table rate_windows (
  key text primary key,
  opened_at timestamptz(3) not null,
  closes_at timestamptz(3) not null,
  count bigint not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
-->
create index rate_windows_closes on rate_windows (closes_at);
-->
create table usage_days (
  credential_id uuid not null,
  day date not null,
  user_id uuid not null,
  requests bigint not null,
  last_request_at timestamptz(3) not null,
  primary key (credential_id, day)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
-->
create index usage_days_user on usage_days (user_id, day);
-->
create table settings (
  name text primary key,
  value text not null
);
