import { expect, test } from 'bun:test'
import { focusIs, heading, press, submit } from '../../support/pages/chromium.ts'
import { visitDemo } from '../../support/pages/visit.ts'

const visit = await visitDemo('editing in the pages')
if (visit) {
  const { served, page, wrong, goTo, says, read, expectFit } = visit
  const { address, email, password } = served
  const jordan = (await read('cards?filter[name]=57 Michael Jordan RC'))[0]?.id

  /** What the API says of the card now. */
  const cardNow = async () => {
    const answer = await fetch(`${address}/v1/cards/${jordan}`, { headers: { Authorization: `Bearer ${served.key}` } })
    return (await answer.json()) as { data: { attributes: Record<string, string | null> } }
  }
  /** Counts what a person does: each press of a button or a text, and each text that is typed with its Enter. */
  let steps = 0
  const step = async (what: Promise<unknown>) => {
    steps++
    await what
  }
  const type = async (text: string) => {
    await page.keyboard.down('Control')
    await page.keyboard.press('a')
    await page.keyboard.up('Control')
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
  }
  const pencil = (label: string) => page.locator(`aria/Edit ${label}[role="button"]`)

  test('a visitor reads a card without the editor', async () => {
    await goTo(`/cards/${jordan}`, '57 Michael Jordan RC · 1986-87 Fleer Basketball')
    expect(await page.$('.pencil')).toBeNull()
    expect(await page.$('link[href*="/edit-"]')).toBeNull()
  })

  test('an operator mends a typo in two steps from where it is read, and undoes it in its place', async () => {
    await goTo(`/signin?next=/cards/${jordan}`, 'Sign in')
    await submit(page, { email, password })
    await heading(page, '57 Michael Jordan RC · 1986-87 Fleer Basketball')
    steps = 0
    await step(pencil('Number').click())
    await focusIs(page, 'name', 'number')
    await step(type('057'))
    await heading(page, '057 Michael Jordan RC · 1986-87 Fleer Basketball')
    expect(steps).toBeLessThanOrEqual(2)
    expect((await cardNow()).data.attributes.number).toBe('057')
    await says('Saved.')
    await page.locator('aria/Undo the change to Number').click()
    await heading(page, '57 Michael Jordan RC · 1986-87 Fleer Basketball')
    expect((await cardNow()).data.attributes.number).toBe('57')
  })

  /** Changes the card as somebody else. */
  const changeElsewhere = async (attributes: object) => {
    const { token } = JSON.parse(
      await served.run('token', 'create', '--user', email, '--scope', 'read:all-status write', '--json'),
    ) as { token: string }
    const answer = await fetch(`${address}/v1/cards/${jordan}`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/vnd.api+json' },
      body: JSON.stringify({ data: { type: 'cards', id: jordan, attributes } }),
    })
    expect(answer.status).toBe(200)
  }

  test('what was said and can be undone on one page is not on the page of the next record', async () => {
    await pencil('Number').click()
    await focusIs(page, 'name', 'number')
    await type('57b')
    await says('Saved.')
    await page.locator('a[rel=next]').click()
    await heading(page, '58 Clark Kellogg RC · 1986-87 Fleer Basketball')
    await pencil('Number').wait()
    expect(await page.$eval('.facts', ({ textContent }) => textContent)).not.toMatch(/Saved|Undo/)
    await page.goBack()
    await heading(page, '57b Michael Jordan RC · 1986-87 Fleer Basketball')
    await pencil('Number').click()
    await focusIs(page, 'name', 'number')
    await type('57')
    await heading(page, '57 Michael Jordan RC · 1986-87 Fleer Basketball')
  })

  test('Escape leaves a field as it was, and the focus goes back to its pencil', async () => {
    await pencil('Number').click()
    await focusIs(page, 'name', 'number')
    await page.keyboard.type('99')
    await page.keyboard.press('Escape')
    await focusIs(page, 'aria-label', 'Edit Number')
    expect((await cardNow()).data.attributes.number).toBe('57')
  })

  test('what the service refuses stands beside the field, with what was typed still in it', async () => {
    await pencil('Number').click()
    await focusIs(page, 'name', 'number')
    await type('9'.repeat(256))
    await page.waitForSelector('.edit-form .fault')
    expect(await page.$eval('.edit-form .fault', ({ textContent }) => textContent)).toContain('255')
    await focusIs(page, 'name', 'number')
    expect(await page.$eval('.edit-form input', ({ value }) => value.length)).toBe(256)
    expect(await page.$eval('.edit-form input', (input) => input.getAttribute('aria-invalid'))).toBe('true')
    await page.keyboard.press('Escape')
  })

  test('what somebody else changed meanwhile is told, and theirs is taken or mine saved again', async () => {
    await changeElsewhere({ title: 'Theirs', number: '57a' })
    await pencil('Number').click()
    await focusIs(page, 'name', 'number')
    await type('57b')
    await says('Number is now “57a”. Title is now “Theirs”.')
    await press(page, 'Keep theirs')
    await page.waitForFunction(() => document.querySelector('.facts')?.textContent?.includes('57a'))
    await changeElsewhere({ title: null })
    await pencil('Number').click()
    await focusIs(page, 'name', 'number')
    await type('57')
    await says('Title is now empty.')
    await page.keyboard.press('Enter')
    await says('Saved.')
    expect((await cardNow()).data.attributes).toMatchObject({ number: '57', title: null })
  })

  test('who is on a card is named by typing: somebody known from the list, somebody new once it is saved again', async () => {
    await pencil('On the card').click()
    await focusIs(page, 'name', 'player')
    await press(page, 'Add another')
    await page.locator('aria/Player 2').click()
    await page.keyboard.type('clyde dr')
    await page.waitForFunction(() => document.querySelector('.pick-list .offer')?.textContent === 'Clyde Drexler')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await heading(page, '57 Michael Jordan / Clyde Drexler RC · 1986-87 Fleer Basketball')
    await pencil('On the card').click()
    await page.locator('aria/Player 2').click()
    await type('Nobody Known')
    await says('There’s no player “Nobody Known” yet. Save again to create it.')
    await page.keyboard.press('Enter')
    await heading(page, '57 Michael Jordan / Nobody Known RC · 1986-87 Fleer Basketball')
    await page.locator('aria/Undo the change to On the card').click()
    await heading(page, '57 Michael Jordan / Clyde Drexler RC · 1986-87 Fleer Basketball')
    await pencil('On the card').click()
    await page.locator('aria/Take Clyde Drexler off the card').click()
    await press(page, 'Save')
    await heading(page, '57 Michael Jordan RC · 1986-87 Fleer Basketball')
  })

  test('of two players with one name the list says which is which, and nobody is taken by chance', async () => {
    await page.evaluate(async () => {
      const attributes = { first_name: 'Clyde', last_name: 'Drexler', disambiguation: 'the coach' }
      const headers = { 'Content-Type': 'application/vnd.api+json' }
      await fetch('/v2/players', {
        method: 'POST',
        headers,
        body: JSON.stringify({ data: { type: 'players', attributes } }),
      })
    })
    await pencil('On the card').click()
    await focusIs(page, 'name', 'player')
    await type('Clyde Drexler')
    await says('There are several called “Clyde Drexler”. Choose one from the list.')
    await page.keyboard.press('End')
    await page.keyboard.press('Backspace')
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.pick-list .offer')].some(({ textContent }) => textContent?.includes('the coach')),
    )
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await focusIs(page, 'aria-label', 'Edit On the card')
  })

  const fleer = (await read('sets?filter[name]=1986-87 Fleer Basketball'))[0]?.id
  const player = (await read('players?filter[full_name]=Michael Jordan'))[0]?.id
  const team = (await read('teams?filter[name]=Chicago Bulls'))[0]?.id

  test.each([
    ['a set', `/sets/${fleer}`, 'Description', 'description', 'Wax boxes of 36 packs.'],
    ['a player', `/players/${player}`, 'Position', 'position', 'SG'],
    ['a team', `/teams/${team}`, 'Also called', 'aliases', 'Da Bulls'],
  ])('%s is edited where it is read', async (_, path, label, name, value) => {
    await page.goto(`${address}${path}`)
    await page.locator(`aria/Add ${label}`).click()
    await focusIs(page, 'name', name)
    await page.keyboard.type(value)
    await page.keyboard.press('Enter')
    await says('Saved.')
    await page.reload()
    await page.waitForSelector('.pencil')
    await says(value)
  })

  test('a set gets a brand by its name, and the page leads by it', async () => {
    await page.goto(`${address}/sets/${fleer}`)
    await pencil('Brand').click()
    await focusIs(page, 'name', 'brand')
    await type('Fleer Premium')
    await says('There’s no brand “Fleer Premium” yet.')
    await page.keyboard.press('Enter')
    await says('Saved.')
    await page.locator('aria/Undo the change to Brand').click()
    await says('Undone.')
  })

  test.each([
    ['a card', `/cards/${jordan}`, 'On the card'],
    ['a set', `/sets/${fleer}`, 'Kind'],
    ['a player', `/players/${player}`, 'Last name'],
  ])('%s is accessible with a field open, in light and dark, at a desk and on a telephone', async (_, path, label) => {
    await expectFit(async () => {
      await page.goto(`${address}${path}`)
      await pencil(label).click()
      await page.waitForSelector('.edit-form')
    })
  })

  test('nothing went wrong behind the pages: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
