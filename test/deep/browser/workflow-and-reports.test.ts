import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seriousFaults } from '../../support/pages/axe.ts'
import { focusIs, heading, press, textOf } from '../../support/pages/chromium.ts'
import { visitConsole } from '../../support/pages/visit.ts'

const visit = await visitConsole('the workflow of a set and the reports for operators')
if (visit) {
  const { served, page, wrong, goTo, says, confirm, expectFit, expectLight } = visit
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-reports-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const column = (place: number) =>
    page.$$eval(`main > div tbody td:nth-child(${place})`, (cells) => cells.map((cell) => cell.textContent ?? ''))
  const asked = () => Object.fromEntries(new URL(page.url()).searchParams)
  const choose = async (label: string, value: string) => {
    const select = await page.waitForSelector(`aria/${label}[role="combobox"]`)
    await select?.select(value)
  }

  /** How high the bars of a chart are, from left to right. */
  const heightsOfBars = (chart: Element) => {
    const canvas = chart as HTMLCanvasElement
    const accent = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
    accent.fillStyle = getComputedStyle(canvas).getPropertyValue('--accent').trim()
    accent.fillRect(0, 0, 1, 1)
    const wanted = accent.getImageData(0, 0, 1, 1).data
    const { width, height } = canvas
    const { data } = (canvas.getContext('2d') as CanvasRenderingContext2D).getImageData(0, 0, width, height)
    const heightAt = (x: number) => {
      let rows = 0
      for (let y = 0; y < height; y++)
        if ([0, 1, 2].every((part) => data[(y * width + x) * 4 + part] === wanted[part])) rows++
      return rows / devicePixelRatio
    }
    const columns = Array.from({ length: width }, (_, x) => heightAt(x))
    return columns.flatMap((high, x) => (high > 0 && !columns[x - 1] ? [Math.max(high, columns[x + 2] ?? 0)] : []))
  }

  /** A current one, also where it ends meanwhile. */
  const year = new Date().getFullYear()
  const customers = { 'ann@example.org': 1, 'ben@example.org': 250, 'cid@example.org': 0 }

  test('the usage report has the busiest customer first, as a chart, too, and its address says what was asked', async () => {
    const keys = new Map<string, string>()
    for (const [email, requests] of Object.entries(customers)) {
      await served.run('user', 'create', '--email', email, '--password', 'correct horse battery', '--plan', 'starter')
      const { key } = JSON.parse(await served.run('key', 'create', '--user', email, '--json')) as { key: string }
      keys.set(email, key)
      for (let sent = 0; sent < requests; sent++)
        await fetch(`${served.address}/v1/genres`, { headers: { Authorization: `Bearer ${key}` } })
    }
    await goTo('usage', 'Usage')
    expect((await column(1)).slice(0, 2)).toEqual(['ben@example.org', 'ann@example.org'])
    expect((await column(3)).slice(0, 2)).toEqual(['250', '1'])
    await page.waitForSelector('.chart canvas')
    expect(await textOf(page, '.chart tbody')).toBe('ben@example.org250ann@example.org1')
    // One request beside 250 is a bar that one sees.
    const [high, low] = await page.$eval('.chart canvas', heightsOfBars)
    expect(high).toBeGreaterThan(100)
    expect(low).toBeGreaterThanOrEqual(2)
    await choose('Sort by', 'email')
    await page.waitForFunction(() => location.search.includes('sort=email'))
    expect(await page.$eval('select[name=sort]', ({ value }) => value)).toBe('email')
    await choose('Customers', 'true')
    await press(page, 'Show')
    await page.waitForFunction(() => location.search.includes('paying_only=true'))
    await page.reload()
    await page.waitForSelector('main tbody tr')
    expect((await column(1))[0]).toBe('ann@example.org')
    expect(await page.$$eval('.filters select', (all) => all.map(({ value }) => value))).toEqual(['true', 'email'])
    await page.locator('input[name=email]').fill('BEN')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelectorAll('main > div > table tbody tr').length === 1)
    expect(asked()).toMatchObject({ email: 'BEN', sort: 'email' })
    await page.locator('main tbody a').click()
    await says('Requests by ben@example.org, per credential')
    const end = keys.get('ben@example.org')?.slice(-4)
    expect([(await column(5))[0], (await column(6))[0]]).toEqual([
      `…${end}`,
      expect.stringContaining(`Key …${end}: 250, last `),
    ])
    expect(asked().user).toMatch(/^[0-9a-f-]{36}$/)
    await says('All customers')
  })

  test('a range that is too long is refused in words, and one without customers says so', async () => {
    await goTo('usage?from=2026-01-01&to=2026-12-31', 'Usage')
    await says('The range may span 31 days')
    expect(await page.$('.notice button')).toBeNull()
    await goTo('usage?email=nobody-is-called-so', 'Usage')
    await says('No customers match.')
  })

  test('the readiness report counts seasons and months, as charts, too, and its address says what was asked', async () => {
    await goTo('readiness?years=100', 'Readiness')
    await page.waitForSelector('.chart canvas')
    expect((await page.$$('.chart canvas')).length).toBe(3)
    expect(await textOf(page, 'main tbody tr:last-child')).toStartWith('Basketball1986-872143')
    await choose('Chart', 'cards_with_image')
    await says('Cards with an image, as a percentage of all cards')
    expect(asked()).toEqual({ years: '100', measure: 'cards_with_image' })
    await goTo('readiness?years=1', 'Readiness')
    await says('There are no sets in these seasons.')
    await goTo('readiness?years=0', 'Readiness')
    await says('Must be an integer from 1')
  })

  test('many drafts, of a genre or all, are given workflows by a job that is followed to its end', async () => {
    const rows = Array.from({ length: 150 }, (_, at) => `Hockey,${year},Ice,${year} Ice ${at + 1},1,Player ${at + 1}`)
    const file = join(folder, 'drafts.csv')
    writeFileSync(file, ['genre,year,brand,set,number,player', ...rows].join('\n'))
    await served.run('import', file)
    for (const [genre, done, given] of [
      ['Hockey', '150 of 150', 150],
      ['All genres', '151 of 151', 151],
    ] as const) {
      await goTo('workflows', 'Workflows')
      const option = await page.waitForSelector(`xpath/.//option[.='${genre}']`)
      await choose('Genre', (await option?.evaluate((one) => one.getAttribute('value'))) ?? '')
      await press(page, 'Give these drafts a workflow')
      await heading(page, 'Workflows for drafts')
      await says('Done.')
      expect(await textOf(page, '.progress span')).toBe(done)
      await says(`${given} of 151 drafts now have a workflow.`)
    }
  })

  test('a set’s workflow is reached from the board and led on with the keyboard; a blocked step says what it waits for', async () => {
    await goTo(`board?step=discover_sources&year=${year}`, 'Board')
    await page.locator('.column h3 a').click()
    await page.waitForSelector('#todo-publish')
    const title = await textOf(page, 'h1')
    expect(title).toMatch(new RegExp(`^${year} Ice \\d+$`))
    await page.select('#todo-publish', 'completed')
    await says('The step publish waits for discover_sources')
    expect(await page.$eval('#todo-publish', (select) => (select as HTMLSelectElement).value)).toBe('pending')
    expect(await seriousFaults(page)).toEqual([])
    await page.locator('.notice a').click()
    await focusIs(page, 'id', 'todo-discover_sources')
    await page.keyboard.type('C')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelector('.progress span')?.textContent === '1 of 6')
    await press(page, 'Edit Fetch')
    await page.locator('dialog textarea').fill('from the sell sheet')
    await confirm()
    await says('from the sell sheet')
    await press(page, 'Remove Audit')
    await confirm()
    await says('New todo')
    await press(page, 'Add todo')
    await page.waitForSelector('#todo-audit')
    await page.locator('.facts a').click()
    await page.waitForFunction(() => location.pathname.startsWith('/sets/'))
    await heading(page, title)
  })

  test('the board shows what is current or of the backlog alone, and its address says so', async () => {
    await goTo('board', 'Board')
    await choose('Priority', 'backlog')
    await says('2024 Topps Chrome')
    const isGone = (ice: string) => !document.querySelector('.board')?.textContent?.includes(ice)
    await page.waitForFunction(isGone, {}, `${year} Ice`)
    expect(asked()).toEqual({ priority: 'backlog' })
  })

  test('these views are accessible in light and dark, have room at 360 pixels, load little and do not jump', async () => {
    const [id] = await page.evaluate(async () => {
      const answer = await fetch('/v1/sets?scope=all&per_page=1')
      return ((await answer.json()) as { data: { id: string }[] }).data.map((set) => set.id)
    })
    const views = ['usage', 'readiness?years=100', 'workflows', `sets/${id}`, 'board']
    for (const path of views) {
      await expectFit(async () => {
        await page.goto(`${served.address}/operations/${path}`)
        await page.waitForSelector('.tabs')
        await page.waitForFunction(() => !document.querySelector('.placeholder'))
      })
      await expectLight(path)
    }
  })

  test('nothing went wrong behind the pages: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
