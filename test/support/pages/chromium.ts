import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { ownDatabaseRuns } from '../own-database.ts'

const candidates = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The path of a Chromium, which `CHROMIUM` can set. */
export const whereChromiumIs = (): string | undefined =>
  process.env.CHROMIUM ?? candidates.map((name) => Bun.which(name)).find(Boolean) ?? undefined

/**
 * The path of a Chromium, which `CHROMIUM` can set. Undefined if there is none, or this isn't the run for it, and a line says
 * what is skipped.
 */
export const findChromium = (what: string): string | undefined => {
  if (!ownDatabaseRuns(what)) return undefined
  const found = whereChromiumIs()
  if (!found) console.log(`skipped: ${what} (needs Chromium; apt-get install chromium, or CHROMIUM=/path/to/it)`)
  return found
}

/**
 * Starts it without a window. As root it runs without its sandbox, which refuses to work there; only our own pages are shown. A
 * container's `/dev/shm` may be too small for it. It listens at a pipe, and so it ends with this process at the latest.
 */
export const startChromium = (executablePath: string): Promise<Browser> =>
  puppeteer.launch({
    ...{ executablePath, timeout: 120_000, pipe: true },
    args: ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })

let shared: Promise<Browser> | undefined

/** The one that all test files of this process use, each in tabs of its own, which it closes at its end. */
export const sharedChromium = async (executablePath: string): Promise<Browser> => {
  if (!(await shared)?.connected) shared = startChromium(executablePath)
  return shared as Promise<Browser>
}

/** Waits until the page has this heading. Fails with what it shows instead. */
export const heading = async (page: Page, text: string) => {
  const isThere = (wanted: string) => document.querySelector('h1')?.textContent === wanted
  await page.waitForFunction(isThere, {}, text).catch(async () => {
    throw new Error(`No heading “${text}” at ${page.url()}: ${await page.evaluate(() => document.body.textContent)}`)
  })
}

/** Fills in a form's fields by name, and presses Enter in the last one. */
export const submit = async (page: Page, values: Record<string, string>) => {
  const fieldOf = (name: string) => `input[name="${name}"]`
  for (const [name, value] of Object.entries(values)) await page.locator(fieldOf(name)).fill(value)
  const last = await page.waitForSelector(fieldOf(Object.keys(values).at(-1) ?? ''))
  await last?.press('Enter')
}

/** Presses the button with this text, once it is there and has stopped moving. */
export const press = (page: Page, text: string) => page.locator(`xpath/.//button[normalize-space()='${text}']`).click()

/** Waits until the focused element is this one. Some pages take a moment after a change. */
export const focusIs = (page: Page, name: 'name' | 'tagName' | 'id' | 'value' | 'aria-label', value: string) =>
  page
    .waitForFunction(
      (wanted, is) => {
        const at = document.activeElement
        return (wanted === 'tagName' ? at?.tagName : at?.getAttribute(wanted)) === is
      },
      {},
      name,
      value,
    )
    .catch(async () => {
      throw new Error(`No focus on ${value}: ${await page.evaluate(() => document.activeElement?.outerHTML)}`)
    })

/** The text of the first match, once it is there. */
export const textOf = (page: Page, selector: string): Promise<string> =>
  page
    .locator(selector)
    .map((element) => element.textContent ?? '')
    .wait()

/** A tab, and everything wrong in it that a person wouldn't see: errors, and what the policy blocked. */
export type Tab = { page: Page; wrong: string[] }

export const openTab = async (browser: Browser): Promise<Tab> => {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  const wrong: string[] = []
  page.setDefaultTimeout(60_000)
  page.on('pageerror', (error) => wrong.push(String(error)))
  page.on('console', (message) => {
    const isAnswer = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isAnswer) wrong.push(message.text())
  })
  return { page, wrong }
}
