-- The networks that an account signed in from, as a keyed hash: failed sign-ins there do not count over all addresses.
create table sign_in_networks (
  user_id uuid not null references users (id) on delete cascade,
  network_hash bytea not null,
  signed_in_at timestamptz(3) not null,
  primary key (user_id, network_hash)
);
-->
create index sign_in_networks_age on sign_in_networks (signed_in_at);
-->
-- The links that went to the address an account had before a change, and bring it back.
create table email_undos (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  email text not null,
  changed_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
-->
create index email_undos_user on email_undos (user_id);
