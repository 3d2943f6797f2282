/** Every setting in a line, with what holds where it is not set: for whoever has the executable alone. */
export const settingsHelp = `Settings are environment variables, read once at the start; a wrong one stops it with a line that says what it takes.
A variable that differs by a letter or two from one of these is warned of.

  HOST                  127.0.0.1          where it listens
  PORT                  3000
  BASE_URL              http://localhost:PORT
                                           what every link is built on
  DATABASE_URL          none               a PostgreSQL, 15 or newer; without it a database of its own in DATA_DIR
  DATABASE_DIRECT_URL   DATABASE_URL       the server itself, where DATABASE_URL is a pooler
  DATABASE_PREPARE      true               false for a pooler that keeps no prepared statements
  DATABASE_POOL         8                  connections that requests share; a process opens half as many again and four
  CONCURRENCY_PER_CALLER 16                requests of one caller that a process works on at a time
  STATEMENT_TIMEOUT_MS  5000               how long a statement of a request that reads may take
  DATA_DIR              ./data             the database of its own, images, bulk files, the made secret
  APP_ENV               production         staging and development make keys for tests
  APP_SECRET            made once          32 characters or more; required with DATABASE_URL in production
  APP_SECRET_PREVIOUS   none               earlier ones, with commas, that are still accepted and sign nothing
  BRAND                 cardstock          the word in keys and headers
  PUBLIC_CATALOG        true               whether visitors may browse what is published
  TRUSTED_PROXIES       none               addresses and CIDRs whose X-Forwarded-For is believed
  TRUSTED_ORIGINS       none               origins to which people may be sent back from paying
  SELF_SERVICE_SCOPES   read:published     what accounts that are no operator may grant
  LOG_LEVEL             info               debug, info, warn, error, silent
  LOG_FORMAT            auto               json, text; auto is text at a terminal
  METRICS_TOKEN         none               the bearer token of GET /metrics, 16 characters or more
  MAX_BODY_BYTES        16777216           the largest body
  IMAGE_MAX_BYTES       10485760           the largest image
  IMPORT_MAX_BYTES      268435456          the largest checklist sent to /internal/imports
  BATCH_INLINE_MAX      100                rows of a card batch that are written before the answer
  BATCH_MAX             10000              rows of a card batch
  SHUTDOWN_DELAY_MS     0                  for how long SIGTERM leaves everything served, with /health at 503
  ACTIONABLE_TIMEOUT_MS 5000               how long a question for actionable sets may take
  IMAGE_URL_TTL         900                seconds for which the address of an image holds, at least
  S3_BUCKET             none               keeps images and bulk files, with S3_ENDPOINT, S3_ACCESS_KEY_ID and
                                           S3_SECRET_ACCESS_KEY (or AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY)
  FOUNDING_SLOTS        5                  sign-ups that may be on trial or active; or unlimited
  TRIAL_DAYS            14
  RESEND_API_KEY        none               sends mails, with MAIL_FROM; without it they are files in DATA_DIR/outbox
  RESEND_BASE_URL       Resend's own       another host for the same interface
  STRIPE_SECRET_KEY     none               takes payments, with STRIPE_WEBHOOK_SECRET, STRIPE_PRICE_STARTER and
                                           STRIPE_PRICE_PRO
  STRIPE_API_BASE       Stripe's own       another host for the same interface
  STRIPE_TIMEOUT        8                  seconds that Stripe may take for an answer
  CLOCK_OFFSET_SECONDS  0                  moves the clock, to try what expires; refused in production

Limits in requests: INTERNAL_POOL_LIMIT (60000 an hour, for each client of the internal pool); for each address
LIMIT_SIGNUP_PER_HOUR (10), LIMIT_VERIFY_PER_HOUR (30), LIMIT_RESEND_PER_HOUR (10), LIMIT_FORGOT_PER_HOUR (10),
LIMIT_INVITE_PER_HOUR (30), LIMIT_SESSION_PER_15_MINUTES (20), LIMIT_CATALOG_PAGES_PER_10_MINUTES (600); for each token
LIMIT_RESEND_TOKEN_PER_HOUR (3); for each account LIMIT_EMAIL_CHANGE_ACCOUNT_PER_HOUR (10).
Limits of wrong passwords: for each account and address LIMIT_SESSION_ACCOUNT_ADDRESS_PER_15_MINUTES (10); for each
account from all addresses that it does not sign in from LIMIT_SESSION_ACCOUNT_PER_15_MINUTES (100).
`
