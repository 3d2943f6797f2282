import type { Page } from 'puppeteer-core'

/** How a page is viewed. Where it `opens`, it is opened so; otherwise the page that is there changes to it. */
export type Look = { width: number; scheme: 'light' | 'dark'; opens?: true }

/** On a desktop and on phones of this many pixels, each in light and dark mode, and opened in both modes. */
export const looks = ({ dark, light }: { dark: number; light: number }): Look[] => [
  { width: 1440, scheme: 'light', opens: true },
  { width: 1440, scheme: 'dark' },
  { width: dark, scheme: 'dark', opens: true },
  { width: light, scheme: 'light' },
]

/** Checks a page in each look. Nothing but style depends on the mode, and so a page needn't be opened for each. */
export const inEachLook = async (
  page: Page,
  all: Look[],
  open: () => Promise<unknown>,
  check: (look: Look) => Promise<unknown>,
) => {
  for (const look of all) {
    await setLook(page, look.width, look.scheme)
    if (look.opens) await open()
    await page.waitForFunction(
      (width, scheme) => innerWidth === width && matchMedia(`(prefers-color-scheme: ${scheme})`).matches,
      {},
      look.width,
      look.scheme,
    )
    await check(look)
  }
}

export const setLook = async (page: Page, width: number, scheme: Look['scheme'] | '') => {
  await page.setViewport({ width, height: 800 })
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
}
