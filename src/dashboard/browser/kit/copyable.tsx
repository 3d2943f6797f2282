/** @jsxImportSource preact */
import { useState } from 'preact/hooks'

/** Copies a text, and says whether that worked. */
export const useCopying = (text: string) => {
  const [said, setSaid] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied')
    } catch {
      setSaid('Select the text and copy it')
    }
  }
  return { copy, said }
}

/** A text with a button that copies it. */
export const Copyable = ({ text, label }: { text: string; label: string }) => {
  const { copy, said } = useCopying(text)
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
