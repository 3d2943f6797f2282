let last: { element: Element; around: Element | null } | undefined

/**
 * When the focused element disappears (a deleted row, a button no longer needed), focus moves to its section's heading, or else
 * the page's, so that keyboard users aren't thrown back to the top.
 */
export const catchLostFocus = (page: Element) => {
  addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) last = { element: target, around: target.closest('dialog, section, main') }
  })
  new MutationObserver(() => {
    if (!last || last.element.isConnected || document.activeElement !== document.body) return
    const place = last.around?.isConnected ? last.around : document
    const heading = place.querySelector<HTMLElement>('h1, h2')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
  }).observe(page, { childList: true, subtree: true })
}
