/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import type { Refused } from './api.ts'
import type { Loaded } from './load.ts'
import { at } from './settings.ts'

type NoticeProps = { kind?: 'info' | 'good' | 'warning' | 'bad'; children: ComponentChildren }

/** A message that screen readers announce when it appears. Errors interrupt. */
export const Notice = ({ kind = 'info', children }: NoticeProps) => (
  <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
    {children}
  </div>
)

type FailureProps = { failure: Refused; retry?: () => void; isBusy?: boolean }

/** What went wrong and, if there is one, a way out: try again, or go to the plan. */
export const Failure = ({ failure, retry, isBusy }: FailureProps) => (
  <Notice kind="bad">
    <p>{sayFailure(failure)}</p>
    {failure.status === 402 && (
      <p>
        <a href={at('/account')}>Go to your plan</a>
      </p>
    )}
    {retry && (
      <button type="button" onClick={retry} aria-disabled={isBusy}>
        Try again
      </button>
    )}
  </Notice>
)

/** A refusal as a sentence. */
export const sayFailure = ({ status, message, waitSeconds }: Refused) => {
  if (status === 429) return `Too many requests. Try again ${waitSeconds ? `in ${sayWait(waitSeconds)}` : 'later'}.`
  if (status === 402) return 'Your plan isn’t active.'
  if (status === 404) return 'This was removed or never existed.'
  return message
}

const sayWait = (seconds: number) => (seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`)

/** Shown instead of an empty list. */
export const Empty = ({ children }: { children: ComponentChildren }) => <div class="empty">{children}</div>

/** Shows what was read, or a placeholder of `lines` lines until it arrives, or what went wrong. */
export const Show = <T,>({
  of,
  lines = 5,
  children,
}: {
  of: Loaded<T>
  lines?: number
  children: (value: T) => ComponentChildren
}) => {
  if (of.failure) return <LoadFailure of={{ ...of, failure: of.failure }} />
  if (of.value === undefined) return <Placeholder lines={lines} />
  return <div aria-busy={of.isLoading}>{children(of.value)}</div>
}

/** Why something couldn't be read, with a retry button if that may help. */
export const LoadFailure = ({ of: { failure, reload, isLoading } }: { of: Loaded<unknown> & { failure: Refused } }) => (
  <Failure failure={failure} retry={mayPass(failure) ? reload : undefined} isBusy={isLoading} />
)

/** Whether trying the same request again may help. */
export const mayPass = ({ status }: Refused) => status === 0 || status === 429 || status >= 500

/** Gray lines shown while something loads. */
export const Placeholder = ({ lines }: { lines: number }) => (
  <div class="placeholder" role="status">
    <span class="unseen">Loading</span>
    {Array.from({ length: lines }, (_, line) => (
      <div key={line} />
    ))}
  </div>
)
