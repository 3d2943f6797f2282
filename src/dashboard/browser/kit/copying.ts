import { useState } from 'preact/hooks'

/** Copies a text, and what to say of it. */
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
