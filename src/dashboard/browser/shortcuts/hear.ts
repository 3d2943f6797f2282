import { isPlainKey } from '../kit/plain-key.ts'

/** Hears the keys that are shortcuts on every page; what they do is loaded with the first of them. */
export const hearShortcuts = () =>
  addEventListener('keydown', (event: KeyboardEvent) => {
    if (!/^[?jkehn]$/.test(event.key) || !isPlainKey(event) || document.querySelector('dialog')) return
    import('./press.tsx').then(({ press }) => press(event.key), reportError)
  })
