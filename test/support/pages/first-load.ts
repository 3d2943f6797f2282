import type { Browser, CookieData } from 'puppeteer-core'
import { openTab } from './chromium.ts'

/**
 * Loads a page as if for the first time, and waits until everything has arrived. Returns how many bytes that took without
 * images, and how much visible content moved (Chromium's cumulative layout shift).
 */
export const firstLoad = async (browser: Browser, address: string, cookies: CookieData[] = []) => {
  const { page } = await openTab(browser)
  if (cookies.length > 0) await page.browserContext().setCookie(...cookies)
  const client = await page.createCDPSession()
  const images = new Set<string>()
  let bytes = 0
  await client.send('Network.enable')
  client.on('Network.responseReceived', ({ requestId, type }) => type === 'Image' && images.add(requestId))
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!images.has(requestId)) bytes += encodedDataLength
  })
  await page.evaluateOnNewDocument(() => {
    const kept = globalThis as unknown as { shift: number }
    kept.shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) kept.shift += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(address)
  await page.waitForSelector('h1')
  await page.waitForFunction(() => !document.querySelector('.placeholder'))
  const shift = await page.evaluate(() => (globalThis as unknown as { shift: number }).shift)
  await page.browserContext().close()
  return { bytes, shift }
}
