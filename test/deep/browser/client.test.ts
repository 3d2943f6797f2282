import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type * as Client from '../../../clients/typescript/src/index.ts'
import { runningCommands } from '../../commands/running.ts'
import { endsFirst } from '../../support/ending.ts'
import { factories } from '../../support/factories.ts'
import { findChromium, openTab, sharedChromium } from '../../support/pages/chromium.ts'
import { serveHere } from '../../support/pages/in-process.ts'

const chromium = findChromium('the TypeScript client in a browser')
if (chromium) {
  const [browser, app] = await Promise.all([sharedChromium(chromium), serveHere()])
  setDefaultTimeout(240_000)
  const make = factories({ operator: app.operator })
  const set = await make.set({ name: '1952 Topps', status: 'published' })
  const card = await make.card({ set, number: '311', oncard: [await make.player()] })
  await runningCommands(app.context)('export', '--bulk')
  const entry = join(import.meta.dir, '../../../clients/typescript/src/index.ts')
  const { outputs } = await Bun.build({ entrypoints: [entry], target: 'browser' })
  const script = await outputs[0]?.text()
  const site = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    routes: {
      '/client.js': () => new Response(script, { headers: { 'Content-Type': 'text/javascript' } }),
      '/*': () => new Response('<h1>A site</h1>', { headers: { 'Content-Type': 'text/html' } }),
    },
  })
  const { page, wrong } = await openTab(browser)
  endsFirst(() => page.browserContext().close())
  endsFirst(() => site.stop(true))

  test('a page of another origin reads, writes and downloads with the client, and gets refusals with their reasons', async () => {
    await page.goto(site.url.href)
    const token = app.headers.publishedWriter.Authorization?.replace('Bearer ', '') ?? ''
    const seen = await page.evaluate(
      async (baseUrl, token, id, specifier) => {
        const { Cardstock, CardstockError } = (await import(specifier)) as typeof Client
        const cs = new Cardstock({ baseUrl, token })
        const read = await cs.cards.get(id, { include: ['set'] })
        const changed = await cs.cards.update(id, { notes: 'off center' }, { ifMatch: read.etag })
        const stale = await cs.cards.update(id, { notes: '' }, { ifMatch: read.etag }).catch((error) => error)
        const records: string[] = []
        const { files } = await cs.bulk.list()
        for (const file of files)
          if (file.resource === 'cards') for await (const record of cs.bulk.download(file)) records.push(record.id)
        const refused = stale instanceof CardstockError && [stale.status, stale.code, typeof stale.requestId]
        return { set: read.set?.name, notes: changed.notes, refused, records }
      },
      ...([app.address, token, card.id, `${site.url.origin}/client.js`] as const),
    )
    expect(seen).toEqual({
      ...{ set: '1952 Topps', notes: 'off center', records: [card.id] },
      refused: [412, 'PRECONDITION_FAILED', 'string'],
    })
    expect(wrong).toEqual([])
  })
}
