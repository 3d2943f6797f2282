import { isPlainKey } from '../kit/plain-key.ts'

/** Listens for shortcut keys on every page. Their code is loaded when the first one is pressed. */
export const hearShortcuts = () =>
  addEventListener('keydown', (event: KeyboardEvent) => {
    if (!/^[?jkehn]$/.test(event.key) || !isPlainKey(event) || document.querySelector('dialog')) return
    import('./press.tsx').then(({ press }) => press(event.key), reportError)
  })
