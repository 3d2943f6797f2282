import type { Sql } from '../../db/client.ts'
import { anonymousAllowance, tokenAllowance } from '../limits.ts'
import { accountAllowance, agreedColumns, newestKeyFirst } from './account-allowance.ts'
import { lesserScopes } from './caller.ts'

/** A credential, or an address without one, in a batch. `requests` is 0 for what does not count. */
export type Asked = {
  hash: string
  clientId: string | null
  tokenId: string
  /** The client's generation in which an access token was made. */
  generation: number
  scopes: string
  address: string
  requests: number
}

/**
 * What the database found: the credential if it is valid, its window after these requests, and its account's window if it shares
 * that (`account_key`). `account_count` counts what the credentials' own windows let through.
 */
export type Answered = {
  no: number
  key: string
  credential_id: string | null
  kind: string | null
  user_id: string | null
  scopes: string[] | null
  operator: boolean | null
  status: string | null
  limit: number
  count: string
  closes_at: string
  wait_seconds: number
  account_key: string | null
  account_limit: number
  account_count: string
  account_closes_at: string
  account_wait_seconds: number
  /** How many changes of the catalog were committed: the same number means the same catalog. Null if too many wait for theirs. */
  catalog_state: string | null
  /** Whether the database mirrors another service, whose catalog nobody writes here. */
  is_mirror: boolean
}

const credential = `id, kind, user_id, scopes, internal_pool, plan_limit, plan_window_seconds, agreed_limit,
  agreed_window_seconds, next_limit, next_window_seconds, next_from, expires_at, revoked_at`

const account = accountAllowance('account', 's.plan')

/** A client's scopes, and the lesser ones that they imply. */
const reach = ['scopes']
  .concat(
    Object.entries(lesserScopes).map(
      ([scope, lesser]) => `case when '${scope}' = any(scopes) then '{${lesser.join()}}'::text[] else '{}' end`,
    ),
  )
  .join(' || ')

/** Counts on an open window, or opens a new one. */
const countOn = `update set
  count = case when w.closes_at <= excluded.opened_at then excluded.count else w.count + excluded.count end,
  opened_at = case when w.closes_at <= excluded.opened_at then excluded.opened_at else w.opened_at end,
  closes_at = case when w.closes_at <= excluded.opened_at then excluded.closes_at else w.closes_at end`

/**
 * Looks up credentials and counts their windows and usage, for all requests of a batch, in one statement with the database's
 * clock. A token has a window of its own, unless its client has an allowance by agreement or from the internal pool: then all of
 * the client's tokens share that (interface.md, Limits). An account's other clients and personal tokens also count on the
 * account's window (decisions.md §12), but only requests that their own windows let through, so that a token that asks too often
 * takes nothing from the others. Keys are merged and sorted, those of accounts last, so that batches of several instances wait in
 * one order. The commit is relaxed for this statement alone: a crash of the database may lose its last second of counting,
 * nothing else.
 */
export const askGate = (sql: Sql, asked: Asked[], offsetSeconds: number, internalPoolLimit: number) => sql<Answered[]>`
  with clock as (
    select (now() + make_interval(secs => ${offsetSeconds}::float8))::timestamptz(3) as at,
      set_config('synchronous_commit', 'off', true) as relaxed
  ), asked as (
    select no, hash, client_id, token_id, generation, string_to_array(scopes, ' ') as scopes, address, requests
    from unnest(${asked.map((one) => one.hash)}::text[], ${asked.map((one) => one.clientId)}::uuid[],
      ${asked.map((one) => one.tokenId)}::text[], ${asked.map((one) => one.generation)}::int[],
      ${asked.map((one) => one.scopes)}::text[], ${asked.map((one) => one.address)}::text[],
      ${asked.map((one) => one.requests)}::int[])
      with ordinality as a (hash, client_id, token_id, generation, scopes, address, requests, no)
  ), found as (
    select a.no, a.address, a.token_id, a.requests, c.id as credential_id, c.kind, c.user_id, c.scopes, c.internal_pool,
      u.operator, s.status, clock.at,
      case when c.next_from <= clock.at then c.next_limit else c.agreed_limit end as agreed_limit,
      case when c.next_from <= clock.at then c.next_window_seconds else c.agreed_window_seconds end as agreed_window_seconds,
      case
        when c.id is null then ${anonymousAllowance.limit}
        when c.plan_limit is not null then c.plan_limit
        when c.internal_pool then ${internalPoolLimit}
        else ${tokenAllowance.limit}
      end::int as usual_limit,
      case when c.id is null then ${anonymousAllowance.windowSeconds}
        else coalesce(c.plan_window_seconds, ${tokenAllowance.windowSeconds}) end::int as usual_window_seconds,
      case when c.kind in ('oauth_client', 'personal_token') and not c.internal_pool and not u.operator
        then ${sql.unsafe(account.limit)} end as account_limit,
      ${sql.unsafe(account.windowSeconds)} as account_window_seconds
    from clock cross join asked a
    left join lateral (
      select ${sql.unsafe(credential)} from credentials
      where a.hash <> '' and secret_hash = decode(a.hash, 'hex') and kind <> 'oauth_client'
      union all
      select ${sql.unsafe(credential)} from credentials
      where id = a.client_id and kind = 'oauth_client' and generation = a.generation
        and a.scopes <@ (${sql.unsafe(reach)})
        and (internal_approved or not 'internal' = any(a.scopes))
        and not exists (select 1 from revoked_tokens r where r.token_id = a.token_id)
    ) c on c.revoked_at is null and (c.expires_at is null or c.expires_at > clock.at)
    left join users u on u.id = c.user_id
    left join subscriptions s on s.user_id = c.user_id
    left join lateral (
      select ${sql.unsafe(agreedColumns('k', 'clock.at'))} from credentials k
      where c.kind in ('oauth_client', 'personal_token') and k.user_id = c.user_id and k.kind = 'subscriber_key'
      ${sql.unsafe(newestKeyFirst)}
    ) account on true
  ), keyed as (
    select no, credential_id, kind, user_id, scopes, operator, status, requests, at,
      coalesce(agreed_limit, usual_limit) as "limit", coalesce(agreed_window_seconds, usual_window_seconds) as window_seconds,
      case
        when credential_id is null then 'address ' || address
        when kind = 'session' then 'session ' || user_id
        when kind = 'oauth_client' and agreed_limit is null and not internal_pool then 'token ' || token_id
        else 'credential ' || credential_id
      end as key,
      case when agreed_limit is null and account_limit is not null then 'account ' || user_id end as account_key,
      account_limit, account_window_seconds
    from found
  ), merged as (
    select key, max("limit") as "limit", max(window_seconds) as window_seconds, sum(requests)::bigint as requests,
      max(at) as at, max(account_key) as account_key, max(account_window_seconds) as account_window_seconds
    from keyed where requests > 0 group by key
  ), counted as (
    insert into rate_windows as w (key, opened_at, closes_at, count)
    select key, at, at + make_interval(secs => window_seconds), requests from merged order by key
    on conflict (key) do ${sql.unsafe(countOn)}
    returning key, count, closes_at
  ), drawn as (
    select m.account_key as key, max(m.account_window_seconds) as window_seconds, max(m.at) as at,
      sum(least(m.requests, greatest(0, m."limit" - c.count + m.requests)))::bigint as requests
    from merged m join counted c on c.key = m.key where m.account_key is not null group by m.account_key
  ), account_counted as (
    insert into rate_windows as w (key, opened_at, closes_at, count)
    select key, at, at + make_interval(secs => case when requests > 0 then window_seconds else 0 end), requests
    from drawn order by key
    on conflict (key) do ${sql.unsafe(countOn)}
    returning key, count, closes_at
  ), used as (
    insert into usage_days as d (credential_id, day, user_id, requests, last_request_at)
    select credential_id, (at at time zone 'UTC')::date, min(user_id::text)::uuid, sum(requests)::bigint, max(at)
    from keyed where credential_id is not null and requests > 0 group by 1, 2 order by 1, 2
    on conflict (credential_id, day) do update set
      requests = d.requests + excluded.requests, last_request_at = greatest(d.last_request_at, excluded.last_request_at)
  )
  select k.no::int as no, (
      select f.last + w.count from feed f, (select count(*) from (select 1 from changes where no is null limit 100) c) w
      where w.count < 100
    ) as catalog_state, exists (select 1 from mirror) as is_mirror, k.credential_id, k.kind, k.user_id, k.scopes, k.operator,
    k.status, k.key, k."limit", coalesce(c.count, 0) as count,
    extract(epoch from coalesce(c.closes_at, k.at))::float8::text as closes_at,
    greatest(1, ceil(extract(epoch from coalesce(c.closes_at, k.at) - k.at)))::int as wait_seconds,
    a.key as account_key, k.account_limit, a.count as account_count,
    extract(epoch from a.closes_at)::float8::text as account_closes_at,
    greatest(1, ceil(extract(epoch from a.closes_at - k.at)))::int as account_wait_seconds
  from keyed k left join counted c on c.key = k.key
  left join account_counted a on a.key = k.account_key
  order by k.no`
