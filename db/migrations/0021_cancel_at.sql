-- When a subscription ends, also if that isn't the end of a period.
alter table subscriptions add column cancel_at timestamptz(3);
