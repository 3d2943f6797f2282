import { useMemo } from 'preact/hooks'
import { get } from '../kit/api.ts'
import { Chart } from '../kit/chart.tsx'
import { sayNumber } from '../kit/format.ts'
import { type Loaded, useLoaded } from '../kit/load.ts'
import { sayDistance, sayMoment } from '../kit/moments.ts'
import { Show } from '../kit/notice.tsx'
import { Section } from '../kit/page.tsx'
import { Progress } from '../kit/progress.tsx'

type Window = { limit: number | null; remaining: number | null; resets_at: string | null }
type Usage = Window & { windows: (Window & { type: string })[] }
type Day = { date: string; count: number }

type UsageRead = { now: Usage; days: Day[] }

/** Reads the usage in the key's current window and on each of the last 30 days. */
export const useUsage = (): Loaded<UsageRead> =>
  useLoaded(async (signal) => {
    const [now, { days }] = await Promise.all([
      get<Usage>('/v1/user/usage', { signal }),
      get<{ days: Day[] }>('/v1/user/usage/daily', { signal }),
    ])
    return { now, days }
  }, 'usage')

/** The usage in the key's current window, and the requests on each of the last 30 days. */
export const UsageSection = ({ read, dailyLimit }: { read: Loaded<UsageRead>; dailyLimit: number | undefined }) => (
  <Section
    title="Usage"
    actions={
      <button type="button" onClick={read.reload}>
        Refresh
      </button>
    }
  >
    <Show of={read} lines={12}>
      {({ now, days }) => (
        <>
          <Now {...now} />
          <Shared {...now} />
          <Days days={days} limit={dailyLimit} />
        </>
      )}
    </Show>
  </Section>
)

/** What the account's clients and tokens have used together, if they share a window. */
const Shared = ({ windows }: Usage) => {
  const { limit = null, remaining = null } = windows.find(({ type }) => type === 'billing_account') ?? {}
  if (limit === null || remaining === null) return null
  return <Progress label="Used by clients and tokens together" done={limit - remaining} of={limit} />
}

const Now = ({ limit, remaining, resets_at }: Usage) => {
  if (limit === null || remaining === null) return <p>You have no key yet, so there’s nothing to count.</p>
  return (
    <>
      <Progress label="Used in the key’s window" done={limit - remaining} of={limit} />
      <p class="faint">
        {sayNumber(remaining)} requests left.{' '}
        {resets_at ? (
          <>
            The window resets <time dateTime={resets_at}>{sayDistance(resets_at)}</time>, {sayMoment(resets_at)}.
          </>
        ) : (
          'The window starts with your next request.'
        )}
      </p>
    </>
  )
}

const Days = ({ days, limit }: { days: Day[]; limit: number | undefined }) => {
  const points = useMemo(() => days.map(({ date, count }) => ({ label: shortDay(date), value: count })), [days])
  const line = useMemo(() => (limit === undefined ? undefined : { label: 'Your key’s limit', value: limit }), [limit])
  return <Chart title="Requests in the last 30 days" across="Day (UTC)" unit="Requests" points={points} limit={line} />
}

const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const shortDay = (date: string) => day.format(new Date(date))
