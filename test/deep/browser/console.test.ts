import { expect, test } from 'bun:test'
import { seriousFaults } from '../../support/pages/axe.ts'
import { focusIs, heading, press, submit, textOf } from '../../support/pages/chromium.ts'
import { visitConsole } from '../../support/pages/visit.ts'

const visit = await visitConsole('the audit log, invites and clients in a browser')
if (visit) {
  const { served, page, wrong, goTo, follow, says, confirm, expectFit, expectLight } = visit
  const { address, email } = served

  /** What a column of the table says, a text a row. */
  const column = (title: string) =>
    page.$$eval(`td[data-title="${title}"]`, (cells) => cells.map(({ innerText }) => innerText.trim()))
  const validate = async (code: string) => {
    const body = JSON.stringify({ code })
    const headers = { 'Content-Type': 'application/json' }
    return (await fetch(`${address}/v1/invites/validate`, { method: 'POST', headers, body })).status
  }

  test('an invite is made on terms, its link fills in the sign-up, and it ends behind a confirmation', async () => {
    await goTo('invites', 'Invites')
    await says('There are no invites.')
    await page.select('select[name=ends]', 'never')
    await submit(page, { label: 'Card show', email: 'bob@example.org', max_uses: '25' })
    const code = await textOf(page, '.notice.good code')
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Invite code'))
    await says('0 of 25')
    expect([await column('For'), await column('Expires'), await column('Status')]).toEqual([
      ['bob@example.org'],
      ['never'],
      ['usable'],
    ])
    expect(await validate(code)).toBe(200)
    const link = await page.$$eval('.copyable code', (codes) => codes.at(-1)?.textContent ?? '')
    await press(page, 'Revoke “Card show”')
    expect(await seriousFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => !document.querySelector('dialog'))
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Revoke “Card show”')
    await press(page, 'Revoke “Card show”')
    await confirm()
    await page.waitForFunction(() => document.querySelector('td .badge')?.textContent === 'revoked')
    expect(await validate(code)).toBe(422)
    await page.goto(link)
    await heading(page, 'Sign up')
    expect(await page.$$eval('main form input', (all) => all.map(({ name, value }) => [name, value]))).toEqual([
      ['email', 'bob@example.org'],
      ['password', ''],
      ['name', ''],
      ['invite_code', code],
    ])
  })

  test('a code that is taken is told beside its field', async () => {
    await goTo('invites', 'Invites')
    await submit(page, { code: 'CARDS' })
    await textOf(page, '.notice.good code')
    await submit(page, { code: 'CARDS' })
    expect(await textOf(page, '.fault')).toContain('An invite with this code already exists.')
    await focusIs(page, 'name', 'code')
  })

  test('a client is approved, gets an agreed limit, and both end; the audit log tells what was before', async () => {
    const words = ['client', 'create', '--name', 'importer', '--user', email, '--scope', 'read:published internal']
    const { client_id } = JSON.parse(await served.run(...words, '--json')) as { client_id: string }
    await served.run('client', 'create', '--name', 'other', '--user', email, '--scope', 'read:published')
    await goTo('clients', 'Clients')
    expect(await column('Internal')).toEqual(['waiting for approval', '–'])
    await page.select('select[name=internal]', 'waiting')
    await says('1 client')
    expect(new URL(page.url()).search).toBe('?internal=waiting')
    await follow('importer', 'Client')
    await press(page, 'Approve for internal')
    expect(await seriousFaults(page)).toEqual([])
    await confirm()
    await press(page, 'Withdraw approval')
    await confirm()
    await says('waiting for approval')
    await submit(page, { limit: '0' })
    expect(await page.$eval('input[name=limit]', (field) => (field as HTMLInputElement).validity.valid)).toBeFalse()
    await submit(page, { limit: '5000' })
    await says('Now: 5,000 requests in 1 hour.')
    await submit(page, { limit: '100' })
    await says('100 requests in 1 hour.')
    await press(page, 'Go back to the usual limit')
    await confirm()
    await says(': the usual limit.')
    await press(page, 'Add to the internal pool')
    await confirm()
    await says('Remove from the internal pool')
    await follow('Show in the audit log', 'Audit log')
    await says('client.limit_changed')
    expect(new URL(page.url()).searchParams.get('auditable_id')).toBe(client_id)
    expect(await column('Event')).toEqual(
      [
        'limit_changed',
        'limit_changed',
        'limit_changed',
        'limit_changed',
        'approval_withdrawn',
        'approved',
        'created',
      ].map((verb) => expect.stringContaining(`client.${verb}`)),
    )
    await page.$$eval('td[data-title="Event"] a', (links) => (links[3] as HTMLElement).click())
    await heading(page, 'Audit log entry')
    await says('Before and after')
    expect([await column('What'), await column('Before'), await column('After')]).toEqual([
      ['Internal pool', 'Rate limit', 'Next rate limit'],
      ['false', '–', '–'],
      ['false', 'Limit: 5000, Window seconds: 3600', '–'],
    ])
    expect(await seriousFaults(page)).toEqual([])
  })

  test('the filters of the audit log are in its address, which opens the same entries again', async () => {
    await goTo('audit-log', 'Audit log')
    await submit(page, { event_type: 'set.published', per_page: '3' })
    await says('1–3 of 4 entries')
    const first = page.url()
    expect([...new URL(first).searchParams]).toEqual([
      ['event_type', 'set.published'],
      ['per_page', '3'],
    ])
    await follow('Next', 'Audit log')
    await says('4–4 of 4 entries')
    await page.goto(first)
    await says('1–3 of 4 entries')
    expect(await page.$eval('input[name=event_type]', (field) => (field as HTMLInputElement).value)).toBe(
      'set.published',
    )
    await follow('Clear filters', 'Audit log')
    await page.waitForFunction(
      () => (document.querySelector('input[name=event_type]') as HTMLInputElement).value === '',
    )
  })

  test('a filter that the service refuses is told beside its field, and where nothing is it says so', async () => {
    await goTo('audit-log?auditable_id=57', 'Audit log')
    expect(await textOf(page, '.fault')).toBe('Must be a UUID.')
    expect(await seriousFaults(page)).toEqual([])
    await submit(page, { auditable_id: crypto.randomUUID() })
    await says('No entries match.')
    expect(await page.$('.fault')).toBeNull()
    await goTo('audit-log?start_date=2001-01-01T00:00:00Z&end_date=2001-01-02', 'Audit log')
    await says('No entries match.')
    expect(await page.$eval('input[name=start_date]', (field) => (field as HTMLInputElement).value)).toBe(
      '2001-01-01T00:00:00Z',
    )
    await goTo('audit-log/999999', 'Audit log entry')
    await says('This was removed or never existed.')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    for (const id of ['57', '..%2F..%2Fv1%2Fme', '%252e%252e%2F%252e%252e%2Fv1%2Fme', 'x%23']) {
      await goTo(`clients/${id}`, 'Client')
      await says('This was removed or never existed.')
    }
    expect(asked).not.toContain('/v1/me')
  })

  test.each([
    ['invites', 'Invites'],
    ['clients', 'Clients'],
    ['audit-log', 'Audit log'],
    ['audit-log/1', 'Audit log entry'],
    ['board', 'Board'],
    ['imports', 'Imports'],
    ['batches', 'Batches'],
    ['jobs', 'Jobs'],
  ])(
    '%s is accessible in light and dark, has room at 360 pixels, loads little and does not jump',
    async (path, title) => {
      await expectFit(() => goTo(path, title))
      await expectLight(path)
    },
  )

  test('nothing went wrong behind the pages: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
