-- What became of the rows of a card batch: kept by chunks, each written in the transaction that wrote its cards, and gone
-- with its job.
create table card_batches (
  job_id uuid primary key references jobs (id) on delete cascade,
  total int not null
);
-->
create table card_batch_results (
  job_id uuid not null references card_batches (job_id) on delete cascade,
  first int not null,
  results json not null,
  primary key (job_id, first)
);
