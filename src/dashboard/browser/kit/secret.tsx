import { useState } from 'preact/hooks'
import { Notice } from './notice.tsx'

/** A text to copy, with a button that does it and says so. */
export const Copyable = ({ text, label }: { text: string; label: string }) => {
  const [said, setSaid] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied')
    } catch {
      setSaid('Select the text and copy it')
    }
  }
  return (
    <div class="copyable">
      <code>{text}</code>
      <button type="button" onClick={copy} aria-label={`Copy ${label}`}>
        Copy
      </button>
      <span role="status">{said}</span>
    </div>
  )
}

/** A secret that is shown this once. */
export const ShownOnce = ({ text, label }: { text: string; label: string }) => (
  <Notice kind="good">
    <p>
      <strong>This is {label}.</strong> It is shown this once: copy it now, and keep it where others do not see it.
    </p>
    <Copyable text={text} label={label} />
  </Notice>
)
