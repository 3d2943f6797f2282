import { useLayoutEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'

/** How long scrolling must pause before the position is stored. Browsers allow only a few such changes per second. */
const restMilliseconds = 250

let resting: ReturnType<typeof setTimeout> | undefined
let stopSeeking: (() => void) | undefined

/**
 * Stores how far each page in the history was scrolled, and returns there on back, forward and reload. The browser itself would
 * try that before the page is drawn.
 */
export const keepPlaces = () => {
  history.scrollRestoration = 'manual'
  addEventListener('scroll', () => {
    clearTimeout(resting)
    resting = setTimeout(keepPlace, restMilliseconds)
  })
  addEventListener('click', keepPlace, true)
  addEventListener('pagehide', keepPlace)
  addEventListener('popstate', () => {
    clearTimeout(resting)
    requestAnimationFrame(seekPlace)
  })
}

const keepPlace = () => {
  clearTimeout(resting)
  if (!stopSeeking) history.replaceState({ y: scrollY }, '')
}

/** Scrolls to this history entry's position, or the top, once the page is tall enough. Stops if the reader scrolls first. */
export const seekPlace = () => {
  stopSeeking?.()
  const y: number | undefined = history.state?.y
  if (y === undefined && location.hash) return
  const seek = () => {
    scrollTo(0, y ?? 0)
    if (Math.abs(scrollY - (y ?? 0)) < 2 && !document.querySelector('.placeholder')) stopSeeking?.()
  }
  const growth = new ResizeObserver(seek)
  const movements = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const
  stopSeeking = () => {
    growth.disconnect()
    for (const one of movements) removeEventListener(one, movedOn)
    stopSeeking = undefined
  }
  const movedOn = () => stopSeeking?.()
  for (const one of movements) addEventListener(one, movedOn)
  growth.observe(document.body)
}

/** The router also knows whether the URL was newly opened, rather than reached by going back or replacing the last one. */
type Way = ReturnType<typeof useLocation> & { wasPush?: boolean }

/** Opening a URL of the same page, such as the list's next part, starts at the top, as opening another page does. */
export const useSteps = () => {
  const { url, path, wasPush }: Way = useLocation()
  const before = useRef(path)
  useLayoutEffect(() => {
    if (wasPush && path === before.current) {
      scrollTo(0, 0)
      document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
    }
    before.current = path
  }, [url])
}
