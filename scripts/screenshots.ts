import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startChromium, submit, whereChromiumIs } from '../test/support/pages/chromium.ts'
import { serveDemo } from '../test/support/pages/executable.ts'

/**
 * Takes the README's pictures (docs/images) of the demo, as you see it when you start it. Run `bun run screenshots` after
 * changing the pages.
 */
const folder = join(import.meta.dir, '../docs/images')

const chromium = whereChromiumIs()
if (!chromium)
  throw new Error('Pictures are taken in Chromium. Run apt-get install chromium, or set CHROMIUM to its path.')
mkdirSync(folder, { recursive: true })
const [browser, served] = await Promise.all([startChromium(chromium), serveDemo()])
const page = await browser.newPage()

const idOf = async (path: string) => {
  const headers = { Authorization: `Bearer ${served.key}` }
  const { data } = (await (await fetch(`${served.address}/v2/${path}`, { headers })).json()) as {
    data: { id: string }[]
  }
  return data[0]?.id
}

type Look = { width?: number; height?: number; scheme?: 'light' | 'dark'; wait?: string }

const take = async (
  name: string,
  path: string,
  { width = 1200, height = 800, scheme = 'light', wait = 'h1' }: Look = {},
) => {
  await page.setViewport({ width, height, deviceScaleFactor: 1.5 })
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
  await page.goto(`${served.address}${path}`, { waitUntil: 'networkidle0' })
  await page.waitForSelector(wait)
  await page.waitForFunction(() => !document.querySelector('.placeholder'))
  const webp = await new Bun.Image(await page.screenshot()).webp({ quality: 80 }).bytes()
  await Bun.write(join(folder, `${name}.webp`), webp)
}

try {
  const finest = await idOf('sets?filter[name]=1993 Finest Baseball')
  const griffey = await idOf(`cards?filter[set]=${finest}&filter[number]=110`)
  await take('set', `/sets/${finest}`)
  await take('card', `/cards/${griffey}`, { scheme: 'dark' })
  await take('search', '/search?q=jordan', { width: 390, height: 760 })
  await page.goto(`${served.address}/signin`)
  await submit(page, { email: served.email, password: served.password })
  await page.waitForFunction(() => location.pathname === '/operations')
  await take('operations', '/operations')
  await take('start', '/getting-started', { wait: 'pre' })
} finally {
  await browser.close()
  await served.stop()
}
