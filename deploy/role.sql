-- The role and the database of Cardstock. Run it once as a superuser:
--   DATABASE_PASSWORD=… psql -f role.sql
\getenv password DATABASE_PASSWORD
create role cardstock login password :'password';
create database cardstock owner cardstock encoding 'UTF8' locale_provider libc locale 'C.UTF-8' template template0;

-- PgBouncer lets no connection ask for these.
alter role cardstock set plan_cache_mode = 'force_generic_plan';
alter role cardstock set jit = 'off';
