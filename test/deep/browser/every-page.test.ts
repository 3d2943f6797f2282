import { expect, test } from 'bun:test'
import { type PagePath, pagePaths } from '../../../src/dashboard/browser/paths.ts'
import { allFaults } from '../../support/pages/axe.ts'
import { heading, submit } from '../../support/pages/chromium.ts'
import { inEachLook, looks } from '../../support/pages/looks.ts'
import { visitDemo } from '../../support/pages/visit.ts'

const visit = await visitDemo('every page in a browser')
if (visit) {
  const { served, page, wrong, read } = visit
  const { address, email, password } = served

  /** The first record that the demo has at a path of the service, as its operator reads it. */
  const firstOf = (path: string) =>
    page.evaluate(async (from) => {
      const answer = await fetch(from, { headers: { Accept: 'application/vnd.api+json' } })
      const { data = [] } = answer.ok ? ((await answer.json()) as { data?: { id: string }[] }) : {}
      return data[0]?.id
    }, path)

  const idOf: Partial<Record<PagePath, () => Promise<string | undefined>>> = {
    '/sets/:id': async () => (await read('sets?filter[name]=1993 Finest Baseball'))[0]?.id,
    '/sets/:id/print': async () => (await read('sets?filter[name]=1986-87 Fleer Basketball'))[0]?.id,
    '/cards/:id': async () => (await read('cards?filter[name]=57 Michael Jordan RC'))[0]?.id,
    '/cards/:id/rainbow': async () => (await read('cards?filter[name]=57 Michael Jordan RC'))[0]?.id,
    '/players/:id': async () => (await read('players?filter[full_name]=Michael Jordan'))[0]?.id,
    '/teams/:id': async () => (await read('teams?filter[name]=Chicago Bulls'))[0]?.id,
    '/operations/sets/:id': async () => (await read('sets?filter[name]=1993 Finest Baseball'))[0]?.id,
    '/operations/clients/:id': () => firstOf('/internal/clients'),
    '/operations/imports/:id': () => firstOf('/internal/imports'),
    '/operations/audit-log/:id': () => firstOf('/internal/audit-logs'),
  }

  /** The page at a path; where the demo has none of what it shows, the page that says so. */
  const addressOf = async (path: PagePath) => {
    const found = path.includes(':id') ? await idOf[path]?.() : undefined
    return path.replace(':id', found ?? crypto.randomUUID())
  }

  const expectClean = async (path: string, drawn = 'h1') => {
    const html = await (await fetch(`${address}${path}`)).text()
    const open = async () => {
      await page.goto(`${address}${path}`)
      await page.waitForSelector(drawn)
      await page.waitForFunction(() => !document.querySelector('.placeholder'))
    }
    await inEachLook(page, looks({ dark: 390, light: 390 }), open, async ({ scheme, width }) => {
      expect({ path, scheme, width, faults: await allFaults(page) }).toEqual({ path, scheme, width, faults: [] })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    })
    return /<title>(.*)<\/title>/.exec(html)?.[1]
  }

  const all = Object.keys(pagePaths) as PagePath[]
  const forVisitors = all.filter((path) => !/^.(account|operations)/.test(path))
  const forOperators = all.filter((path) => path.startsWith('/operations') || path.startsWith('/account'))

  test.each([...forVisitors, '/search?q=jordan&facets=yes', '/search?q=jordan&view=grid'])(
    'a visitor finds %s without a fault in light and dark, at a desk and on a phone, under the title of its HTML',
    async (path) => {
      const title = await expectClean(await addressOf(path as PagePath))
      // A page for a link of a mail, and that of a record, say at once what was found.
      const isOpen = !path.includes(':id') && !/^.(verify|undo|confirm|reset)/.test(path)
      if (isOpen) expect(await page.title()).toBe(title ?? '')
    },
  )

  test('the page of the API has no fault either', () => expectClean('/docs', '#api main[aria-label] .opblock-tag'))

  test('an operator signs in', async () => {
    await page.goto(`${address}/signin`)
    await submit(page, { email, password })
    await heading(page, 'Operations')
  })

  test.each([...forOperators, '/sets/:id', '/cards/:id', '/players/:id'])(
    'an operator finds %s without a fault in light and dark, at a desk and on a phone',
    async (path) => {
      const title = await expectClean(await addressOf(path as PagePath))
      // A record's name, and the kind of what is merged, are known to the browser alone.
      const isOpen = forOperators.includes(path as PagePath) && !/:id|merge$/.test(path)
      if (isOpen) expect(await page.title()).toBe(title ?? '')
    },
  )

  test('nothing went wrong behind the pages: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
