import { useEffect, useRef } from 'preact/hooks'

/** What single keys do, unless the user is typing or a dialog is open. */
export const useKeys = (acts: Record<string, () => unknown>) => {
  const latest = useRef(acts)
  latest.current = acts
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return
      if (isTyping(event.target as HTMLElement) || document.querySelector('dialog[open]')) return
      if (!Object.hasOwn(latest.current, event.key)) return
      event.preventDefault()
      latest.current[event.key]?.()
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [])
}

const isTyping = (at: HTMLElement) =>
  at.isContentEditable ||
  /^(TEXTAREA|SELECT)$/.test(at.tagName) ||
  (at instanceof HTMLInputElement && !/^(radio|checkbox)$/.test(at.type))
