-- Who pays: the customer at Stripe that stands for an account. `customer_key` is the idempotency key of the call that makes
-- it, so that two requests at once make one. Each look at Stripe takes a number before it begins (`looks`), and only what a
-- later look than the last applied one has seen is written (`applied_look`): then the order of events does not matter.
create table billing_accounts (
  user_id uuid primary key references users (id) on delete cascade,
  stripe_customer_id text,
  customer_key uuid not null,
  looks bigint not null default 0,
  applied_look bigint not null default 0,
  created_at timestamptz(3) not null
);
-->
create unique index billing_accounts_customer on billing_accounts (stripe_customer_id);
-->
insert into billing_accounts (user_id, stripe_customer_id, customer_key, created_at)
select user_id, stripe_customer_id, gen_random_uuid(), created_at from subscriptions where stripe_customer_id is not null;
-->
alter table subscriptions drop column stripe_customer_id;
-->
-- The events of Stripe that were handled.
create table stripe_events (
  id text primary key,
  type text not null,
  handled_at timestamptz(3) not null
);
-->
create index stripe_events_handled on stripe_events (handled_at);
