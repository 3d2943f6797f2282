import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { ownDatabaseRuns } from '../own-database.ts'

const candidates = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The path of a Chromium; `CHROMIUM` names one. */
export const whereChromiumIs = (): string | undefined =>
  process.env.CHROMIUM ?? candidates.map((name) => Bun.which(name)).find(Boolean) ?? undefined

/** Where a Chromium is; where there is none, or this is not the run for it, undefined, and a line says what is skipped. `CHROMIUM` names one. */
export const findChromium = (what: string): string | undefined => {
  if (!ownDatabaseRuns(what)) return undefined
  const found = whereChromiumIs()
  if (!found) console.log(`skipped: ${what} (needs Chromium; apt-get install chromium, or CHROMIUM=/path/to/it)`)
  return found
}

/**
 * Starts it, without a window. As root it runs without its sandbox, which it refuses there: only our own pages are shown. A
 * container's `/dev/shm` may be too small for it.
 */
export const startChromium = (executablePath: string): Promise<Browser> =>
  puppeteer.launch({
    ...{ executablePath, timeout: 120_000 },
    args: ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })

/** Waits until the page has this heading; fails with what it shows instead. */
export const heading = async (page: Page, text: string) => {
  const isThere = (wanted: string) => document.querySelector('h1')?.textContent === wanted
  await page.waitForFunction(isThere, {}, text).catch(async () => {
    throw new Error(`No heading “${text}” at ${page.url()}: ${await page.evaluate(() => document.body.textContent)}`)
  })
}

/** Fills in the fields of a form by their names, and presses Enter in the last. */
export const submit = async (page: Page, values: Record<string, string>) => {
  const fieldOf = (name: string) => `input[name="${name}"]`
  for (const [name, value] of Object.entries(values)) await page.locator(fieldOf(name)).fill(value)
  const last = await page.waitForSelector(fieldOf(Object.keys(values).at(-1) ?? ''))
  await last?.press('Enter')
}

/** Presses the button with this text, once it is there and stands still. */
export const press = (page: Page, text: string) => page.locator(`xpath/.//button[normalize-space()='${text}']`).click()

/** Waits until what has the focus is so: some pages give it a moment after they have changed. */
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

/** The text of what is found first, once it is there. */
export const textOf = (page: Page, selector: string): Promise<string> =>
  page
    .locator(selector)
    .map((element) => element.textContent ?? '')
    .wait()

/** A tab, and everything in it that a person would not see but that is wrong: errors, and what the policy refused. */
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
