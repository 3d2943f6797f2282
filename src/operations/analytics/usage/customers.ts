import type { Queryable } from '../../../../db/client.ts'
import type { Customer } from './document.ts'
import { type Asked, keptDays, oldestDay } from './period.ts'

const batchSize = 500
const lowestId = '00000000-0000-0000-0000-000000000000'
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * Every customer, including those without a request. They are read in batches by id, so that no statement takes long however many
 * there are. A paying customer is active on a paid plan.
 */
export async function* eachCustomer(db: Queryable, asked: Asked, now: Date): AsyncGenerator<Customer[]> {
  let after = lowestId
  for (;;) {
    const customers = await listCustomers(db, asked, now, after)
    if (customers.length > 0) yield customers
    const last = customers.at(-1)
    if (!last || customers.length < batchSize) return
    after = last.user_id
  }
}

const listCustomers = (db: Queryable, asked: Asked, now: Date, after: string): Promise<Customer[]> => {
  const days = keptDays(asked, now)
  return db.sql<Customer[]>`
    with customers as (
      select u.id, u.email, s.plan, s.status
      from users u left join subscriptions s on s.user_id = u.id
      where u.id > ${after}::uuid and u.id between ${asked.user ?? lowestId}::uuid and ${asked.user ?? highestId}::uuid
        and u.verified_at is not null
        and (${!asked.payingOnly} or (s.status = 'active' and s.plan in ('starter', 'pro')))
      order by u.id limit ${batchSize}
    ), used as (
      select user_id, credential_id, sum(requests)::bigint as requests, max(last_request_at) as last_request_at
      from usage_days
      where user_id in (select id from customers) and day between ${days.from}::date and ${days.to}::date
      group by user_id, credential_id
    ), summed as (
      select d.user_id, sum(d.requests)::float8 as requests, max(d.last_request_at) as last_request_at,
        json_agg(json_build_object('id', c.id, 'kind', c.kind, 'name', c.name, 'last_four', c.last_four,
          'request_count', d.requests, 'last_request_at', to_char(d.last_request_at, ${iso}))
          order by d.requests desc, c.id) as by_credential
      from used d join credentials c on c.id = d.credential_id and c.kind <> 'session'
      group by d.user_id
    )
    select u.id as user_id, u.email, u.plan, u.status as subscription_status,
      coalesce(d.requests, 0) as request_count, to_char(d.last_request_at, ${iso}) as last_request_at,
      coalesce(d.by_credential, '[]') as requests_by_credential,
      case when k.id is not null then json_build_object('id', k.id, 'last_four', k.last_four,
        'created_at', to_char(k.created_at, ${iso})) end as api_key
    from customers u
    left join summed d on d.user_id = u.id
    left join credentials k on k.user_id = u.id and k.kind = 'subscriber_key' and k.revoked_at is null
    order by u.id`
}

/** When the log starts: the beginning of its oldest day. Null while the log is empty. */
export const readOldestLog = async (db: Queryable, now: Date): Promise<string | null> => {
  const [row] = await db.sql<{ day: string | null }[]>`
    select min(day)::text as day from usage_days where day >= ${oldestDay(now)}::date`
  return row?.day ? `${row.day}T00:00:00.000Z` : null
}

const iso = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
