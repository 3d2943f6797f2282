-- The request that caused a job, a change or a delivery, for logs and traces.
alter table jobs add column origin json;
-->
alter table changes add column origin json;
-->
alter table webhook_deliveries add column origin json;
