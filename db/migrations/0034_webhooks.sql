-- Where accounts want to be told of changes. `changes_from` is the number of the first change that `catalog.changed` hasn't told,
-- `events_from` and `events_taken` the place in the feed up to which the other events were told.
create table webhooks (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  target_url text not null,
  events text[] not null,
  description text,
  secret text not null,
  secret_before text,
  secret_before_until timestamptz(3),
  paused_at timestamptz(3),
  failing_since timestamptz(3),
  changes_from bigint not null,
  events_from bigint not null,
  events_taken integer not null default 0,
  changes_told_at timestamptz(3),
  due_at timestamptz(3),
  tried_at timestamptz(3),
  holder uuid,
  locked_until timestamptz,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
-->
create index webhooks_user on webhooks (user_id, id);
-->
-- What was told or is to be told. `in_order`: the next delivery waits for this one.
create table webhook_deliveries (
  id uuid primary key,
  webhook_id uuid not null references webhooks (id) on delete cascade,
  event text not null,
  body text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  in_order boolean not null,
  asked_at timestamptz(3),
  attempts integer not null default 0,
  response_status integer,
  response_body text,
  error text,
  milliseconds integer,
  created_at timestamptz(3) not null,
  tried_at timestamptz(3),
  delivered_at timestamptz(3)
);
-->
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, id);
-->
create unique index webhook_deliveries_next on webhook_deliveries (webhook_id) where status = 'pending' and in_order;
-->
create index webhook_deliveries_asked on webhook_deliveries (webhook_id, asked_at) where asked_at is not null;
-->
-- The changes that are events of their own: sets that became published, merges, finished imports.
create index changes_events on changes (no) where type in ('imports', 'merges')
  or type = 'sets' and audience_before < 2 and audience_after = 2;
