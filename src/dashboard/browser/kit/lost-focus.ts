let last: { element: Element; around: Element | null } | undefined

/**
 * When the focused element goes away (a deleted row, a button that is no longer needed), the heading of its section gets the
 * focus, or that of the page, so that keyboard users are not thrown back to the top.
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
