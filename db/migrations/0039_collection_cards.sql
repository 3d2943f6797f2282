-- What accounts have or want. A card that was merged is followed when it is read, so that it is itself again if that is undone.
create table collection_cards (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  card_id uuid not null,
  status text not null check (status in ('have', 'want')),
  quantity integer not null check (quantity between 1 and 9999),
  note text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
-->
create unique index collection_cards_card on collection_cards (user_id, card_id);
-->
create index collection_cards_user on collection_cards (user_id, id);
