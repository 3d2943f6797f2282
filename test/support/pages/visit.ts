import { afterAll, expect, setDefaultTimeout } from 'bun:test'
import { seriousFaults } from './axe.ts'
import { findChromium, heading, openTab, sharedChromium, submit } from './chromium.ts'
import { serveLoadedDemo } from './executable.ts'
import { firstLoad } from './first-load.ts'
import { inEachLook, looks, setLook } from './looks.ts'

/**
 * A browser tab on the executable with the demo's data, for one test file, and what can be done there. Undefined if there is no
 * Chromium.
 */
export const visitDemo = async (what: string, settings?: Record<string, string>) => {
  const chromium = findChromium(what)
  if (!chromium) return undefined
  setDefaultTimeout(300_000)
  const [browser, served] = await Promise.all([sharedChromium(chromium), serveLoadedDemo(settings)])
  const { page, wrong } = await openTab(browser)
  afterAll(() => Promise.all([page.browserContext().close(), served.stop()]))

  return {
    ...{ served, page, wrong },

    /** Opens the page at a path, and waits until it has this heading and everything has loaded. */
    goTo: async (path: string, title: string) => {
      await page.goto(`${served.address}${path}`)
      await heading(page, title)
      await page.waitForFunction(() => !document.querySelector('.placeholder'))
    },

    /** Follows the link with this text. */
    follow: async (text: string, title: string) => {
      await page.locator(`xpath/.//main//a[normalize-space()='${text}']`).click()
      await heading(page, title)
    },

    /** Waits until the page says this. */
    says: async (text: string) => {
      const isThere = (wanted: string) => document.querySelector('main')?.innerText.includes(wanted)
      await page.waitForFunction(isThere, {}, text).catch(async () => {
        throw new Error(`No “${text}”: ${await page.evaluate(() => document.body.innerText)}`)
      })
    },

    /** Confirms the dialog. */
    confirm: () => page.locator('dialog button[type=submit]').click(),

    /** What the API answers to the demo's key. */
    read: async (path: string) => {
      const answer = await fetch(`${served.address}/v1/${path}`, { headers: { Authorization: `Bearer ${served.key}` } })
      return ((await answer.json()) as { data: { id: string }[] }).data
    },

    /** Expects each opened page to be accessible and no wider than the window, in every look. */
    expectFit: async (open: () => Promise<unknown>) => {
      await inEachLook(page, looks({ dark: 360, light: 390 }), open, async ({ width, scheme }) => {
        const at = page.url()
        expect({ at, scheme, faults: await seriousFaults(page) }).toEqual({ at, scheme, faults: [] })
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      })
      await setLook(page, 1280, '')
    },

    /** Expects a path to load less than 150 kB without images, and nothing on it to jump. */
    expectLight: async (path: string) => {
      const cookies = await page.browserContext().cookies()
      const { bytes, shift } = await firstLoad(browser, `${served.address}${path}`, cookies)
      console.log(`${path}: ${(bytes / 1000).toFixed(1)} kB, layout shift ${shift.toFixed(3)}`)
      expect(bytes).toBeWithin(10_000, 150_000)
      expect(shift).toBeLessThan(0.01)
    },
  }
}

/** The same, signed in as the demo's operator. Paths are relative to `/operations/`. */
export const visitConsole = async (what: string, settings?: Record<string, string>) => {
  const visit = await visitDemo(what, settings)
  if (!visit) return undefined
  const { page, served, goTo, expectLight } = visit
  await page.goto(`${served.address}/signin?next=/operations`)
  await submit(page, { email: served.email, password: served.password })
  await heading(page, 'Operations')
  return {
    ...visit,
    goTo: (path: string, title: string) => goTo(`/operations/${path}`, title),
    expectLight: (path: string) => expectLight(`/operations/${path}`),
  }
}
