import { expect, test } from 'bun:test'
import type { HTTPRequest, ResponseForRequest } from 'puppeteer-core'
import { seriousFaults } from '../../support/pages/axe.ts'
import { focusIs, heading, press, submit, textOf } from '../../support/pages/chromium.ts'
import { visitDemo } from '../../support/pages/visit.ts'

const visit = await visitDemo('pages where the service does not answer, or refuses, in a browser', { TRIAL_DAYS: '30' })
if (visit) {
  const { served, page, wrong, goTo } = visit
  const { address, email, password } = served
  await page.setRequestInterception(true)

  /** What is answered in the place of the service, where it is not asked: to data alone, or to the scripts, too. */
  let instead: Partial<ResponseForRequest> | 'nothing' | undefined
  let isAll = false
  let held: HTTPRequest[] | undefined
  page.on('request', (request: HTTPRequest) => {
    const isMeant = request.resourceType() === 'fetch' || (isAll && request.url().includes('/assets/'))
    if (held && isMeant) return held.push(request)
    if (!instead || !isMeant) return request.continue()
    return instead === 'nothing' ? request.abort('connectionrefused') : request.respond(instead)
  })
  const refusal = (status: number, detail: string) => ({
    status,
    contentType: 'application/vnd.api+json',
    body: JSON.stringify({ errors: [{ status: String(status), detail }] }),
  })
  /** Moves on to the sets in the browser, which asks for their content then. */
  const moveToSets = async () => {
    await page.locator('a[href="/sets"]').click()
    await heading(page, 'Sets')
  }
  /** Until what the service drew has come alive: Preact then keeps its tree at the root. */
  const untilAlive = () => page.waitForFunction(() => '__k' in (document.querySelector('#page') ?? {}))
  const signIn = async () => {
    await goTo('/signin', 'Sign in')
    await submit(page, { email, password })
    await page.waitForFunction(() => location.pathname === '/operations')
  }

  test.each([
    ['nothing', 'nothing', 'Can’t reach the service'],
    [
      'a page of another program',
      { status: 200, contentType: 'text/html', body: '<h1>Hotel</h1>' },
      'didn’t come from the service',
    ],
    ['a gateway’s page', { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }, 'answered 502'],
    ['a fault', refusal(500, 'It failed.'), 'It failed.'],
    ['too many requests', { ...refusal(429, 'No.'), headers: { 'Retry-After': '600' } }, 'Try again in 10 minutes'],
  ] as const)('where %s is answered the page says so, and comes when it is asked again', async (_, answer, said) => {
    await goTo('/search', 'Search')
    instead = answer
    await moveToSets()
    expect(await textOf(page, '.notice.bad')).toContain(said)
    expect(await seriousFaults(page)).toEqual([])
    instead = undefined
    await press(page, 'Try again')
    await page.waitForSelector('.rows li')
  })

  test('a line across the top tells that an answer is awaited, until it is there', async () => {
    const isBusy = (wanted: boolean) =>
      page.waitForFunction((is) => document.documentElement.classList.contains('busy') === is, {}, wanted)
    await goTo('/search', 'Search')
    held = []
    await moveToSets()
    await page.waitForSelector('.placeholder')
    await isBusy(true)
    const waiting = held
    held = undefined
    for (const request of waiting) await request.continue()
    await page.waitForSelector('.rows li')
    await isBusy(false)
  })

  test('where a plan has ended the way to it is shown, and no way to try again', async () => {
    await goTo('/search', 'Search')
    instead = refusal(402, 'The subscription is not active.')
    await moveToSets()
    expect(await page.$('.notice button')).toBeNull()
    expect(await textOf(page, '.notice.bad')).toContain('Your plan isn’t active.')
    expect(await page.$eval('.notice a', (link) => link.getAttribute('href'))).toBe('/account')
    instead = undefined
  })

  test('where a page’s script does not come it says so, and the others are there', async () => {
    await goTo('/sets', 'Sets')
    await untilAlive()
    instead = 'nothing'
    isAll = true
    await page.locator('a[href="/signup"]').click()
    await heading(page, 'This page can’t be shown')
    expect(await seriousFaults(page)).toEqual([])
    await page.locator('a[href="/sets"]').click()
    await heading(page, 'Sets')
    instead = undefined
    isAll = false
    await page.locator('a[href="/signup"]').click()
    await heading(page, 'This page can’t be shown')
    await press(page, 'Try again')
    await heading(page, 'Sign up')
    expect(await textOf(page, '.lede')).toBe('Free for 30 days: 10,000 requests in 24 hours. No credit card needed.')
    wrong.length = 0
  })

  test('who deletes something keeps a place for the keyboard, and no secret of it stays', async () => {
    await signIn()
    await goTo('/account/clients', 'Clients')
    await submit(page, { name: 'x\u202e<b>' })
    // Its sign of direction ends with it: the sentence goes on as it is read.
    expect(await textOf(page, '.notice.good strong')).toBe('Client secret of \u2068x\u202e<b>\u2069')
    await page.locator('td button').click()
    await page.locator('dialog button[type=submit]').click()
    await page.waitForSelector('.empty')
    expect(await page.$('.notice.good')).toBeNull()
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
  })

  test('a status is set by Enter where the keyboard chooses it, and the column keeps the focus', async () => {
    const initialize = () =>
      fetch('/internal/todo-initialization-jobs', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"all_draft":true}',
      })
    await page.evaluate(initialize)
    await goTo('/operations/board', 'Board')
    const changes: (string | undefined)[] = []
    page.on('request', (request) => request.method() === 'PATCH' && changes.push(request.postData()))
    await page.waitForSelector('.column select')
    await page.focus('.column select')
    for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowDown')
    expect(await textOf(page, '.column .hint')).toBe('Press Enter to set it.')
    expect(changes).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => !document.querySelector('.column:first-child select'))
    expect(changes.map((one) => JSON.parse(one ?? '').data.attributes)).toEqual([{ status: 'skipped' }])
    await focusIs(page, 'tagName', 'H2')
  })

  test('a session that ended is told, and whoever signs out in a tab is signed out in the others', async () => {
    await goTo('/account/settings', 'Settings')
    const cookies = await page.browserContext().cookies()
    await page.browserContext().deleteCookie(...cookies)
    await submit(page, { name: 'Zoe' })
    await heading(page, 'Sign in')
    expect(await textOf(page, '.notice')).toContain('Your session has ended')
    await submit(page, { email, password })
    await heading(page, 'Settings')
    const other = await page.browserContext().newPage()
    other.setDefaultTimeout(page.getDefaultTimeout())
    await other.goto(`${address}/account`)
    await press(other, 'Sign out')
    await heading(other, 'Sign in')
    await page.bringToFront()
    await heading(page, 'Sign in')
    expect(new URL(page.url()).search).toBe('?next=%2Faccount%2Fsettings')
  })

  test('nothing went wrong behind the pages: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
