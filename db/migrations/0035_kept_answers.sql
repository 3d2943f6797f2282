-- The answers of requests with an Idempotency-Key. A row without an answer is a key that somebody used and nothing was done under.
create table kept_answers (
  credential_id uuid not null,
  key text collate "C" not null,
  asked bytea,
  answer bytea,
  created_at timestamptz(3) not null,
  primary key (credential_id, key)
);
-->
create index kept_answers_created_at on kept_answers (created_at);
