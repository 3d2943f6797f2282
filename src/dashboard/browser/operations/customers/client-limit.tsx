import { useState } from 'preact/hooks'
import { lifetimes, sayDuration } from '../../../../limits.ts'
import { Asked } from '../../kit/dialog.tsx'
import { Field, Form, Select, type Values } from '../../kit/form.tsx'
import { sayDay } from '../../kit/moments.ts'
import { Notice } from '../../kit/notice.tsx'
import { Section } from '../../kit/page.tsx'
import { type ChangeClient, type Client, sayAllowance, sayLimit } from './client-terms.tsx'

type ClientLimitProps = { terms: Client['attributes']; change: ChangeClient }

const lengths = [
  { value: '3600', label: 'hour' },
  { value: '86400', label: 'day' },
  { value: '60', label: 'minute' },
]

const notice = sayDuration(lifetimes.lowerLimit.seconds)

/** A client's rate limit: agreed, that of the internal pool, or the usual one. */
export const ClientLimit = ({ terms, change }: ClientLimitProps) => {
  const { rate_limit, next_rate_limit, internal_pool } = terms
  const [isSaid, setSaid] = useState(false)
  const agree = async ({ limit, window_seconds }: Values) => {
    setSaid(false)
    await change({ rate_limit: { limit: Number(limit), window_seconds: Number(window_seconds) } })
    setSaid(true)
  }
  const seconds = String(rate_limit?.window_seconds ?? 3600)
  const options = lengths.some(({ value }) => value === seconds)
    ? lengths
    : [...lengths, { value: seconds, label: `${seconds} seconds` }]
  return (
    <Section title="Limit">
      <p>Now: {sayLimit(terms)}.</p>
      {next_rate_limit && (
        <Notice>
          Starting {sayDay(next_rate_limit.from)}: {sayNext(next_rate_limit)}.
        </Notice>
      )}
      {isSaid && <Notice kind="good">The limit is set.</Notice>}
      <Form onSubmit={agree} label="Set this limit">
        <Field
          name="limit"
          label="Requests"
          type="number"
          min="1"
          required
          defaultValue={rate_limit ? String(rate_limit.limit) : undefined}
          hint={`A higher limit takes effect at once, a lower one after ${notice}.`}
        />
        <Select name="window_seconds" label="Per" options={options} defaultValue={seconds} />
      </Form>
      <div class="actions">
        {(rate_limit || next_rate_limit) && (
          <Asked
            label="Go back to the usual limit"
            title="Go back to the usual limit?"
            onConfirm={() => change({ rate_limit: null }).then(() => setSaid(false))}
          >
            <p>It takes effect at once, or after {notice} if it is lower.</p>
          </Asked>
        )}
        <Pool isIn={internal_pool} change={change} />
      </div>
    </Section>
  )
}

const Pool = ({ isIn, change }: { isIn: boolean; change: ChangeClient }) => {
  const label = isIn ? 'Remove from the internal pool' : 'Add to the internal pool'
  return (
    <Asked label={label} title={`${label}?`} onConfirm={() => change({ internal_pool: !isIn })}>
      <p>
        {isIn
          ? `The client keeps the pool’s limit for another ${notice}, unless you set one.`
          : 'The client then has the same limit as the service’s own programs.'}
      </p>
    </Asked>
  )
}

const sayNext = ({ limit, window_seconds }: NonNullable<Client['attributes']['next_rate_limit']>) =>
  limit === null || window_seconds === null ? 'the usual limit' : sayAllowance({ limit, window_seconds })
