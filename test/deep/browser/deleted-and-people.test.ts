import { expect, test } from 'bun:test'
import { seriousFaults } from '../../support/pages/axe.ts'
import { press } from '../../support/pages/chromium.ts'
import { visitConsole } from '../../support/pages/visit.ts'

const visit = await visitConsole('deleted records and people in a browser')
if (visit) {
  const { served, page, goTo, says, follow, confirm, read, expectFit, wrong } = visit

  /** Deletes a record as the operator who is signed in. */
  const remove = (path: string) =>
    page.evaluate(async (from) => (await fetch(from, { method: 'DELETE' })).status, `/v1/${path}`)

  /** Creates a record as that operator. Its id. */
  const create = (type: string, attributes: object, relationships: object = {}) =>
    page.evaluate(
      async (into, body) => {
        const headers = { 'Content-Type': 'application/vnd.api+json' }
        const answer = await fetch(into, { method: 'POST', headers, body })
        return ((await answer.json()) as { data: { id: string } }).data.id
      },
      `/v1/${type}`,
      JSON.stringify({ data: { type, attributes, relationships } }),
    )

  test('where nothing is deleted the page says so', async () => {
    await goTo('', 'Operations')
    await follow('Deleted', 'Deleted')
    await says('There are no deleted cards.')
    await expectFit(() => goTo('deleted', 'Deleted'))
  })

  test('a deleted card is listed with its set and when, and one press restores it', async () => {
    const [card] = await read('cards?filter[name]=57 Michael Jordan RC')
    expect(await remove(`cards/${card?.id}`)).toBe(204)
    await goTo('deleted', 'Deleted')
    await says('57 Michael Jordan RC')
    await says('1986-87 Fleer Basketball')
    await says('1 deleted card')
    expect(await seriousFaults(page)).toEqual([])
    await press(page, 'Restore 57 Michael Jordan RC')
    await says('57 Michael Jordan RC is restored.')
    await says('There are no deleted cards.')
    expect(await read('cards?filter[name]=57 Michael Jordan RC')).toHaveLength(1)
  })

  test('a deleted set brings its cards back', async () => {
    const name = '1999 Deleted Metal'
    const set = await create('sets', { name, status: 'published' })
    const card = await create(
      'cards',
      { number: '7', title: 'Checklist' },
      { set: { data: { type: 'sets', id: set } } },
    )
    expect(await remove(`sets/${set}`)).toBe(204)
    await goTo('deleted?type=sets', 'Deleted')
    await says('1 deleted set')
    await press(page, `Restore ${name}`)
    await says(`${name} is restored.`)
    expect((await read(`cards?filter[set_id]=${set}`)).map(({ id }) => id)).toEqual([card])
  })

  test('the last operator is told why they stay one, and signing everybody out is asked first', async () => {
    await goTo('', 'Operations')
    await follow('People', 'People')
    await expectFit(() => goTo('people?operator=true', 'People'))
    await page.locator(`xpath/.//main//td//button[starts-with(normalize-space(),'Demote')]`).click()
    await confirm()
    await page.waitForFunction(() =>
      document.querySelector('dialog')?.innerText.includes('This is the last operator. Make somebody else an operator'),
    )
    expect(await seriousFaults(page)).toEqual([])
    await press(page, 'Cancel')
  })

  test('somebody is promoted, demoted, signed out and loses the account, each after a confirmation', async () => {
    const email = 'somebody@example.org'
    await served.run('user', 'create', '--email', email, '--password', 'correct horse battery')
    const steps = [
      ['Promote', 'is an operator.'],
      ['Demote', 'is no longer an operator.'],
      ['Sign out', 'is signed out everywhere.'],
      ['Close', 'has no account anymore.'],
    ] as const
    await goTo('people', 'People')
    for (const [label, outcome] of steps) {
      await press(page, `${label} ${email}`)
      await confirm()
      await says(`${email} ${outcome}`)
    }
    await page.waitForFunction((gone) => !document.querySelector('main table')?.textContent.includes(gone), {}, email)
  })

  test('nothing went wrong behind the pages', () => {
    // The refusal of the last operator is the only one.
    expect(wrong.filter((line) => !line.includes('409'))).toEqual([])
  })
}
