import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import { demoChecklists } from '../../../db/demo/index.ts'
import { freePort } from '../../support/free-port.ts'
import { startChromium, whereChromiumIs } from '../../support/pages/chromium.ts'
import { type FirstVisit, slowestAnswer, visitFirst } from './measure.ts'

/** What a page may cost at most, in milliseconds and bytes. */
export const bounds = { firstContent: 1200, largestContent: 1800, shift: 0, scriptBytes: 60_000, answer: 200 }

export type VisitRow = FirstVisit & { name: string }
export type AnswerRow = { name: string; milliseconds: number }

const rowsOfLongSet = 5000
const main = join(import.meta.dir, '../../../src/main.ts')

/** Opens pages for the first time as somebody with a slow telephone would, then types and scrolls in them. */
export async function* visitPages(databaseUrl: string, rounds: number): AsyncGenerator<VisitRow | AnswerRow> {
  const chromium = whereChromiumIs()
  if (!chromium) throw new Error('Pages in a browser need Chromium: apt-get install chromium, or name one in CHROMIUM.')
  const service = await serve(databaseUrl)
  const browser = await startChromium(chromium)
  try {
    const { fleer, jordan, long, player } = await service.find()
    const pages = {
      'the start': '/',
      'a small set': `/sets/${fleer}`,
      'a set of 5,000 cards': `/sets/${long}`,
      'a card': `/cards/${jordan}`,
      'a player': `/players/${player}`,
      'a search': '/search?q=jordan',
    }
    for (const [name, path] of Object.entries(pages))
      yield { name, ...(await visitOften(browser, service.address + path, rounds)) }
    yield {
      name: 'typing in the search',
      milliseconds: await slowestAnswer(browser, service.address, async (page) => {
        await page.focus('#q')
        await page.keyboard.type('michael jordan 1986', { delay: 80 })
      }),
    }
    yield {
      name: 'scrolling 5,000 rows by keys',
      milliseconds: await slowestAnswer(browser, `${service.address}/sets/${long}`, scrollThrough),
    }
  } finally {
    await Promise.all([browser.close(), service.stop()])
  }
}

/** Goes down until all rows of the long set are there. */
const scrollThrough = async (page: Page) => {
  const isThrough = (count: number) => document.querySelectorAll('.card-row').length >= count
  while (!(await page.evaluate(isThrough, rowsOfLongSet))) await page.keyboard.press('PageDown')
}

/** The middle of several visits, each value for itself. */
const visitOften = async (browser: Browser, address: string, rounds: number): Promise<FirstVisit> => {
  // The service draws the page once before: what it keeps is warm, and the browser cold.
  await (await fetch(address)).text()
  const visits: FirstVisit[] = []
  for (let round = 0; round < rounds; round++) visits.push(await visitFirst(browser, address))
  const middle = (value: (visit: FirstVisit) => number) =>
    visits.map(value).sort((a, b) => a - b)[Math.floor(visits.length / 2)] ?? Number.NaN
  return {
    firstContent: middle((visit) => visit.firstContent),
    largestContent: middle((visit) => visit.largestContent),
    shift: middle((visit) => visit.shift),
    scriptBytes: middle((visit) => visit.scriptBytes),
    bytes: middle((visit) => visit.bytes),
  }
}

/** The service in a process of its own, with the demo's checklists and a long one. */
const serve = async (databaseUrl: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-bench-'))
  const port = String(freePort())
  const address = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    ...{ DATABASE_URL: databaseUrl, DATA_DIR: join(folder, 'data'), APP_ENV: 'development', LOG_LEVEL: 'error' },
    ...{ PORT: port, BASE_URL: address, LIMIT_CATALOG_PAGES_PER_10_MINUTES: '1000000' },
  }
  for (const { name, text } of demoChecklists) writeFileSync(join(folder, name), text)
  const rows = Array.from({ length: rowsOfLongSet }, (_, at) => `Long,2020,${at + 1},Player ${at % 900},RC`)
  writeFileSync(join(folder, 'long.csv'), ['set,year,number,player,attributes', ...rows, ''].join('\n'))
  const options = { env, stdout: 'ignore', stderr: 'inherit' } as const
  await Bun.spawn([process.execPath, main, 'import', '--publish', folder], options).exited
  const server = Bun.spawn([process.execPath, main, 'serve'], options)
  while (
    !(await fetch(`${address}/health`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await Bun.sleep(100)
  const first = async (path: string) => {
    const { data } = (await (await fetch(`${address}/pages/v1/${path}`)).json()) as { data: { id: string }[] }
    return data[0]?.id
  }
  return {
    address,
    find: async () => ({
      fleer: await first('sets?filter[name]=1986-87 Fleer Basketball'),
      jordan: await first('cards?filter[name]=57 Michael Jordan RC'),
      long: await first('sets?filter[name]=Long'),
      player: await first('players?filter[full_name]=Michael Jordan'),
    }),
    stop: async () => {
      server.kill('SIGTERM')
      await server.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
