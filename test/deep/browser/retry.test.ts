import { expect, setDefaultTimeout, test } from 'bun:test'
import type { HTTPRequest } from 'puppeteer-core'
import { endsFirst } from '../../support/ending.ts'
import { runJobs } from '../../support/jobs.ts'
import { seriousFaults } from '../../support/pages/axe.ts'
import { findChromium, heading, openTab, press, sharedChromium, textOf } from '../../support/pages/chromium.ts'
import { serveHere } from '../../support/pages/in-process.ts'
import { aPerson } from '../../support/people.ts'

const chromium = findChromium('another try for an import that has failed, in a browser')
if (chromium) {
  const [browser, app] = await Promise.all([sharedChromium(chromium), serveHere()])
  setDefaultTimeout(240_000)
  const { page, wrong } = await openTab(browser)
  endsFirst(() => page.browserContext().close())
  const { session } = await aPerson(app, { operator: true })
  await page.browserContext().setCookie({ name: 'cardstock_session', value: session, domain: '127.0.0.1' })

  const fail = (id: string) => app.db.sql`
    update jobs set status = 'failed', attempts = max_attempts, finished_at = now(), last_error = 'The disk was full.'
    where id = ${id}`
  const aFailedImport = async () => {
    const body = 'genre,year,brand,number,player\nBaseball,1990,Fleer,1,Ken Griffey Jr.\n'
    const headers = { 'Content-Type': 'text/csv' }
    const sent = await app.operator.send('POST', '/internal/imports', { body, headers })
    const { job_id } = JSON.parse(sent.text) as { job_id: string }
    await fail(job_id)
    return job_id
  }

  test.each([
    ['its own page', (id: string) => `imports/${id}`, 'Import'],
    ['the list of imports', () => 'imports', 'Imports'],
  ])('an import that has failed is tried again from %s', async (_, pathOf, title) => {
    const id = await aFailedImport()
    await page.goto(`${app.address}/operations/${pathOf(id)}`)
    await heading(page, title)
    expect(await textOf(page, '.badge.bad')).toBe('failed')
    expect(await textOf(page, 'main')).toContain('The disk was full.')
    expect(await seriousFaults(page)).toEqual([])
    await press(page, title === 'Import' ? 'Retry' : 'Retry checklist')
    await page.waitForFunction(() => !document.querySelector('.badge.bad'))
    await runJobs(app.context)
    await page.goto(`${app.address}/operations/imports/${id}`)
    await page.waitForFunction(() => document.querySelector('main')?.textContent?.includes('All rows were imported.'))
  })

  test('an import that goes on after an attempt failed says why, and that it goes on', async () => {
    const id = await aFailedImport()
    await app.operator.send('POST', `/internal/jobs/${id}/retry`)
    await app.db.sql`update jobs set last_error = 'The disk was full.' where id = ${id}`
    await page.goto(`${app.address}/operations/imports/${id}`)
    expect(await textOf(page, '.notice.warning')).toBe('An attempt failed and will be repeated: The disk was full.')
    expect(await page.$('.notice.bad')).toBeNull()
  })

  test('a job that somebody else has retried is told as such, until another try goes well', async () => {
    // While none goes on the list is not read again by itself: it still offers what somebody else has done.
    await runJobs(app.context)
    const id = await aFailedImport()
    await page.goto(`${app.address}/operations/imports`)
    await page.waitForSelector('.badge.bad')
    await app.operator.send('POST', `/internal/jobs/${id}/retry`)
    await press(page, 'Retry checklist')
    expect(await textOf(page, '.notice.bad')).toContain('Only failed jobs can be retried')
    await fail(id)
    await press(page, 'Retry checklist')
    await page.waitForFunction(() => !document.querySelector('.notice.bad'))
  })

  test('jobs that gave drafts workflows are listed page by page', async () => {
    await app.db.sql`
      insert into jobs (id, name, payload, status, run_at, max_attempts, created_at, finished_at)
      select gen_random_uuid(), 'todo_initialization', '{}', 'completed', now(), 1, now(), now() from generate_series(1, 26)`
    await page.goto(`${app.address}/operations/workflows`)
    expect(await textOf(page, '.pager')).toContain('1–25 of 26 jobs')
    await page.locator('.pager a[rel=next]').click()
    await page.waitForFunction(() => document.querySelector('.pager')?.textContent?.includes('26–26 of 26 jobs'))
  })

  test.each([
    ['board', 'Board'],
    ['workflows', 'Workflows'],
  ])('genres and years that could not be read are asked for again on %s', async (path, title) => {
    const refuse = (request: HTTPRequest) =>
      request.url().includes('/v1/genres') ? void request.abort() : void request.continue()
    await page.setRequestInterception(true)
    page.on('request', refuse)
    await page.goto(`${app.address}/operations/${path}`)
    await heading(page, title)
    await page.waitForSelector('.notice.bad')
    page.off('request', refuse)
    await page.setRequestInterception(false)
    await press(page, 'Try again')
    await page.waitForSelector('xpath/.//select[@name="genre_id"]/option[.="Baseball"]')
    expect(await page.$('.notice.bad')).toBeNull()
  })

  test.each([
    ['that breaks off', '{"data":[', true],
    ['of somebody else, such as a proxy', '<p>We are busy.</p>', false],
  ])('an answer %s is told as a failure, and asked for again', async (_, begin, isBroken) => {
    const { identifier } = await page.evaluateOnNewDocument(
      (text, breaks) => {
        const [real, first] = [fetch, new TextEncoder().encode(text)]
        globalThis.fetch = (async (...words: Parameters<typeof fetch>) => {
          if (!new Request(...words).url.includes('/internal/jobs')) return real(...words)
          globalThis.fetch = real
          const start = (body: ReadableStreamDefaultController) => {
            body.enqueue(first)
            if (!breaks) body.close()
          }
          return new Response(new ReadableStream({ start, pull: (body) => body.error(new TypeError('network error')) }))
        }) as unknown as typeof fetch
      },
      begin,
      isBroken,
    )
    await page.goto(`${app.address}/operations/jobs`)
    await press(page, 'Try again')
    await page.waitForSelector('main table')
    await page.removeScriptToEvaluateOnNewDocument(identifier)
  })

  test('nothing went wrong behind the pages: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
