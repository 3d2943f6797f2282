import { useMemo } from 'preact/hooks'
import { get } from '../kit/api.ts'
import { Chart } from '../kit/chart.tsx'
import { sayDistance, sayMoment, sayNumber } from '../kit/format.ts'
import { useLoaded } from '../kit/load.ts'
import { Show } from '../kit/notice.tsx'
import { Section } from '../kit/page.tsx'
import { Progress } from '../kit/progress.tsx'
import type { Key } from './key-section.tsx'

type Usage = { limit: number | null; remaining: number | null; resets_at: string | null }
type Day = { date: string; count: number }

/** What is used of the key's window now, and what was asked on each of the last 30 days. */
export const UsageSection = () => {
  const usage = useLoaded(async (signal) => {
    const [now, { days }, key] = await Promise.all([
      get<Usage>('/v1/user/usage', { signal }),
      get<{ days: Day[] }>('/v1/user/usage/daily', { signal }),
      get<{ data: Key | null }>('/v1/user/api-key', { signal }),
    ])
    return { now, days, dailyLimit: key.data && dailyLimitOf(key.data) }
  }, 'usage')
  return (
    <Section
      title="Usage"
      actions={
        <button type="button" onClick={usage.reload}>
          Refresh
        </button>
      }
    >
      <Show of={usage} lines={12}>
        {({ now, days, dailyLimit }) => (
          <>
            <Now {...now} />
            <Days days={days} limit={dailyLimit} />
          </>
        )}
      </Show>
    </Section>
  )
}

const Now = ({ limit, remaining, resets_at }: Usage) => {
  if (limit === null || remaining === null) return <p>There is no key, and so no window.</p>
  return (
    <>
      <Progress label="Used of the key’s window" done={limit - remaining} of={limit} />
      <p class="faint">
        {sayNumber(remaining)} requests left.{' '}
        {resets_at ? (
          <>
            The window resets <time dateTime={resets_at}>{sayDistance(resets_at)}</time>, {sayMoment(resets_at)}.
          </>
        ) : (
          'The window opens with the next request.'
        )}
      </p>
    </>
  )
}

const Days = ({ days, limit }: { days: Day[]; limit: number | null }) => {
  const points = useMemo(() => days.map(({ date, count }) => ({ label: shortDay(date), value: count })), [days])
  const line = useMemo(() => (limit === null ? undefined : { label: 'Limit of the key', value: limit }), [limit])
  return <Chart title="Requests of the last 30 days" unit="requests" points={points} limit={line} />
}

/** What a window allows, for a day: by agreement a window may be shorter or longer. */
const dailyLimitOf = ({ attributes: { limit, window_seconds } }: Key) => Math.round((limit * 86_400) / window_seconds)

const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const shortDay = (date: string) => day.format(new Date(date))
