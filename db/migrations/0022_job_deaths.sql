-- How often the process of a job died while it ran. The second time, the job fails: it may be what the process dies of.
alter table jobs add column deaths smallint not null default 0;
