-- What was done, by whom, and when: written in the transaction of the change, and never changed again.
create sequence audit_logs_id as bigint cache 1;
-->
create table audit_logs (
  id bigint primary key default nextval('audit_logs_id'),
  event_type text not null,
  auditable_type text,
  auditable_id uuid,
  agent_id text,
  data json,
  created_at timestamptz(3) not null
);
-->
alter sequence audit_logs_id owned by audit_logs.id;
-->
create index audit_logs_newest on audit_logs (created_at, id);
-->
create index audit_logs_event on audit_logs (event_type collate "C", created_at, id);
-->
create index audit_logs_type on audit_logs (auditable_type collate "C", created_at, id);
-->
create index audit_logs_event_type on audit_logs (event_type collate "C", auditable_type collate "C", created_at, id);
-->
create index audit_logs_record on audit_logs (auditable_id, created_at, id) include (auditable_type, event_type)
  where auditable_id is not null;
-->
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'The audit log is only ever added to.' using errcode = 'insufficient_privilege';
end
$$;
-->
create trigger audit_logs_stay before update or delete on audit_logs
  for each row execute function refuse_audit_change();
-->
create trigger audit_logs_stay_all before truncate on audit_logs
  for each statement execute function refuse_audit_change();
-->
-- How many entries a day has (in UTC; the type is '' where it is null). Each session of the database counts on rows of
-- its own, so that no writer waits for another one's commit: a total is the sum over them.
create table audit_log_counts (
  day date not null,
  event_type text not null,
  auditable_type text not null,
  session int not null,
  entries bigint not null,
  primary key (day, event_type, auditable_type, session)
) with (fillfactor = 70);
