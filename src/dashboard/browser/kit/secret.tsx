/** @jsxImportSource preact */
import { useEffect, useRef } from 'preact/hooks'
import { Copyable, useCopying } from './copyable.tsx'
import { Notice } from './notice.tsx'

/** A secret that is shown only once, under its label such as `Client secret`. It gets the focus, since the button that requested it may be far down the page. */
export const ShownOnce = ({ text, label }: { text: string; label: string }) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [text])
  return (
    <div ref={place} tabIndex={-1}>
      <Notice kind="good">
        <p>
          <strong>{label}</strong>. You won’t see it again. Copy it now and keep it where nobody else can read it.
        </p>
        <Copyable text={text} label={label.charAt(0).toLowerCase() + label.slice(1)} />
      </Notice>
    </div>
  )
}

/** Code or a command, with a button that copies it. */
export const CodeBlock = ({ text, label }: { text: string; label: string }) => {
  const { copy, said } = useCopying(text)
  return (
    <div class="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
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
