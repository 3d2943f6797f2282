/** @jsxImportSource preact */
import { useEffect, useRef } from 'preact/hooks'
import { Copyable, useCopying } from './copyable.tsx'
import { Notice } from './notice.tsx'

/** A secret that is shown this once. It takes the focus, since what asked for it may be far down on the page. */
export const ShownOnce = ({ text, label }: { text: string; label: string }) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [text])
  return (
    <div ref={place} tabIndex={-1}>
      <Notice kind="good">
        <p>
          <strong>This is {label}.</strong> You will not see it again: copy it now, and keep it where nobody else can
          read it.
        </p>
        <Copyable text={text} label={label} />
      </Notice>
    </div>
  )
}

/** A piece of a program or a command, with a button that copies it. */
export const CodeBlock = ({ text, label }: { text: string; label: string }) => {
  const { copy, said } = useCopying(text)
  return (
    <div class="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <button type="button" onClick={copy} aria-label={`Copy ${label}`}>
        Copy
      </button>{' '}
      <span role="status">{said}</span>
    </div>
  )
}
