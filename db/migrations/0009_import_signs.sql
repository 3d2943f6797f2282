-- When the command that runs an import last gave a sign of life; null for imports over HTTP, which have a job.
alter table import_runs add column alive_at timestamptz(3);
