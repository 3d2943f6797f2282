-- Access tokens that were ended one by one. They are signed, so nothing else is stored of them; a row is kept until its
-- token would have ended by itself.
create table revoked_tokens (
  token_id text primary key,
  expires_at timestamptz(3) not null
);
-->
create index revoked_tokens_expires on revoked_tokens (expires_at);
