let last: { element: Element; around: Element | null } | undefined

/**
 * Where what had the focus is taken away (a row that was deleted, a button that is needed no more), the heading of what it
 * stood in gets it, or that of the page: whoever has only a keyboard is not thrown back to the top.
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
