-- The rows of a card batch, some in a piece, so that its job has few of them in memory at once.
create table card_batch_rows (
  job_id uuid not null references card_batches (job_id) on delete cascade,
  first integer not null,
  rows json not null,
  primary key (job_id, first)
);
