import puppeteer, { type Browser, type Page } from 'puppeteer-core'

const candidates = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Where a Chromium is; where there is none it is undefined, and a line says what is skipped. `CHROMIUM` names one. */
export const findChromium = (what: string): string | undefined => {
  const found = process.env.CHROMIUM ?? candidates.map((name) => Bun.which(name)).find(Boolean) ?? undefined
  if (!found) console.log(`skipped: ${what} (needs Chromium; apt-get install chromium, or CHROMIUM=/path/to/it)`)
  return found
}

/** Starts it, without a window. As root it runs without its sandbox, which it refuses there: only our own pages are shown. */
export const startChromium = (executablePath: string): Promise<Browser> =>
  puppeteer.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })

/** A tab, and everything in it that a person would not see but that is wrong: errors, and what the policy refused. */
export type Tab = { page: Page; wrong: string[] }

export const openTab = async (browser: Browser): Promise<Tab> => {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  const wrong: string[] = []
  page.setDefaultTimeout(10_000)
  page.on('pageerror', (error) => wrong.push(String(error)))
  page.on('console', (message) => {
    const isAnswer = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isAnswer) wrong.push(message.text())
  })
  return { page, wrong }
}
