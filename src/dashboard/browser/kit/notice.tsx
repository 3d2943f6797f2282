import type { ComponentChildren } from 'preact'
import type { Refused } from './api.ts'
import type { Loaded } from './load.ts'

type NoticeProps = { kind?: 'info' | 'good' | 'warning' | 'bad'; children: ComponentChildren }

/** A message that screen readers say when it appears; a bad one at once. */
export const Notice = ({ kind = 'info', children }: NoticeProps) => (
  <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
    {children}
  </div>
)

/** What went wrong, and a way to try again where there is one. */
export const Failure = ({ failure, retry }: { failure: Refused; retry?: () => void }) => (
  <Notice kind="bad">
    <p>{sayFailure(failure)}</p>
    {retry && (
      <button type="button" onClick={retry}>
        Try again
      </button>
    )}
  </Notice>
)

/** A refusal in a sentence. */
export const sayFailure = ({ status, message, waitSeconds }: Refused) => {
  if (status === 429) return `Too many requests: try again ${waitSeconds ? `in ${sayWait(waitSeconds)}` : 'later'}.`
  if (status === 404) return 'There is nothing here: it was removed, or never was.'
  return message
}

const sayWait = (seconds: number) => (seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`)

/** What stands where a list has nothing in it. */
export const Empty = ({ children }: { children: ComponentChildren }) => <div class="empty">{children}</div>

/** Shows what was read, the place that it will take while it is not there, or what went wrong. `lines` is how tall it will be. */
export const Show = <T,>({
  of,
  lines = 5,
  children,
}: {
  of: Loaded<T>
  lines?: number
  children: (value: T) => ComponentChildren
}) => {
  if (of.failure) return <Failure failure={of.failure} retry={of.reload} />
  if (of.value === undefined) return <Placeholder lines={lines} />
  return <div aria-busy={of.isLoading}>{children(of.value)}</div>
}

/** Grey lines in the place of what comes. */
export const Placeholder = ({ lines }: { lines: number }) => (
  <div class="placeholder" role="status">
    <span class="unseen">Loading</span>
    {Array.from({ length: lines }, (_, line) => (
      <div key={line} />
    ))}
  </div>
)
