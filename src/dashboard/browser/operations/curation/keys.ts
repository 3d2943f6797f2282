import { useEffect, useRef } from 'preact/hooks'

/** Handles single keys, unless the user is typing or a dialog is open. `act` returns whether it handled the key. */
export const useKeys = (act: (key: string) => boolean) => {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return
      if (isTyping(event.target as HTMLElement) || document.querySelector('dialog[open]')) return
      if (latest.current(event.key)) event.preventDefault()
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [])
}

const isTyping = (at: HTMLElement) =>
  at.isContentEditable ||
  /^(TEXTAREA|SELECT)$/.test(at.tagName) ||
  (at instanceof HTMLInputElement && !/^(radio|checkbox)$/.test(at.type))
