import type { Browser, CDPSession, Page } from 'puppeteer-core'

/** What a page cost whoever opened it for the first time; times are in milliseconds from the click. */
export type FirstVisit = {
  firstContent: number
  largestContent: number
  shift: number
  scriptBytes: number
  bytes: number
}

type Kept = { largest: number; shift: number; slowest: number }

/** A tab as slow as a telephone on a poor line: 1.6 Mbit/s, 150 ms, a processor four times slower, and nothing cached. */
const openSlowTab = async (
  browser: Browser,
): Promise<{ page: Page; client: CDPSession; close: () => Promise<void> }> => {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  await page.setViewport({ width: 390, height: 844 })
  const client = await page.createCDPSession()
  await client.send('Network.enable')
  await client.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 },
  })
  await client.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.evaluateOnNewDocument(() => {
    const kept: Kept = { largest: 0, shift: 0, slowest: 0 }
    Object.assign(globalThis, { kept })
    const watch = (type: string, note: (entry: PerformanceEntry) => void, more = {}) =>
      new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...more })
    watch('largest-contentful-paint', ({ startTime }) => {
      kept.largest = startTime
    })
    watch('layout-shift', (entry) => {
      kept.shift += (entry as unknown as { value: number }).value
    })
    const slowest = ({ duration }: PerformanceEntry) => {
      kept.slowest = Math.max(kept.slowest, duration)
    }
    watch('event', slowest, { durationThreshold: 16 })
  })
  return { page, client, close: () => context.close() }
}

const keptBy = (page: Page) => page.evaluate(() => (globalThis as unknown as { kept: Kept }).kept)

/** Opens a page for the first time. */
export const visitFirst = async (browser: Browser, address: string): Promise<FirstVisit> => {
  const { page, client, close } = await openSlowTab(browser)
  const scripts = new Set<string>()
  let [bytes, scriptBytes] = [0, 0]
  client.on('Network.responseReceived', ({ requestId, type }) => type === 'Script' && scripts.add(requestId))
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes += encodedDataLength
    if (scripts.has(requestId)) scriptBytes += encodedDataLength
  })
  await page.goto(address, { waitUntil: 'networkidle0' })
  const firstContent = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  )
  const { largest, shift } = await keptBy(page)
  await close()
  return { firstContent, largestContent: largest, shift, scriptBytes, bytes }
}

/** Does something on a page that is open and alive; answers how long the slowest answer to a key, a click or a touch took. */
export const slowestAnswer = async (browser: Browser, address: string, act: (page: Page) => Promise<void>) => {
  const { page, client, close } = await openSlowTab(browser)
  await page.goto(address, { waitUntil: 'networkidle0' })
  // What is measured is the page, and not the line.
  await client.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 },
  })
  await act(page)
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
  const { slowest } = await keptBy(page)
  await close()
  return slowest
}
