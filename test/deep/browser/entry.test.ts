import { expect, test } from 'bun:test'
import type { HTTPRequest } from 'puppeteer-core'
import { focusIs, heading, press, submit, textOf } from '../../support/pages/chromium.ts'
import { visitDemo } from '../../support/pages/visit.ts'

const visit = await visitDemo('typing a checklist in the pages')
if (visit) {
  const { served, page, wrong, goTo, says, read, confirm, expectFit } = visit
  const { address, email, password } = served
  const fleer = (await read('sets?filter[name]=1986-87 Fleer Basketball'))[0]?.id

  let setId = ''
  /** The names of the cards of the set, as an operator reads them. */
  const cards = () =>
    page.evaluate(async (id) => {
      const answer = await fetch(`/v2/cards?filter[set]=${id}`)
      return ((await answer.json()) as { data: { attributes: { name: string } }[] }).data.map(
        ({ attributes }) => attributes.name,
      )
    }, setId)
  /** Types into the fields of a row from the one that has the focus on, going from field to field, and saves. */
  const type = async (...texts: string[]) => {
    for (const [place, text] of texts.entries()) {
      if (place > 0) await page.keyboard.press('Tab')
      await page.keyboard.type(text)
    }
    await page.keyboard.press('Enter')
  }
  /** Empties a field as a person does, and leaves the focus there. */
  const clear = async (name: string) => {
    await page.click(`.entry-form [name=${name}]`, { count: 3 })
    await page.keyboard.press('Backspace')
  }
  const saved = (name: string) => says(`Saved: ${name}`)
  const numberIs = (number: string) =>
    page.waitForFunction(
      (wanted) => document.querySelector<HTMLInputElement>('.entry-form [name=number]')?.value === wanted,
      {},
      number,
    )

  /** Lets the service do what the next POST of a card asks for, unless it is lost, too, and loses the answer. */
  const loseNextAnswer = async (what: 'the answer' | 'the row' = 'the answer', after?: Promise<void>) => {
    const cookies = await page.browserContext().cookies()
    await page.setRequestInterception(true)
    let isHeld = false
    const hear = async (request: HTTPRequest) => {
      if (isHeld || request.method() !== 'POST' || !request.url().endsWith('/v2/cards')) return request.continue()
      isHeld = true
      const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
      const headers = { ...request.headers(), cookie, origin: address }
      if (what === 'the answer') {
        const answer = await fetch(request.url(), { method: 'POST', headers, body: request.postData() })
        expect(answer.status).toBe(201)
      }
      await after
      page.off('request', hear)
      await request.abort()
      await page.setRequestInterception(false)
    }
    page.on('request', hear)
  }

  test('an empty set says how to begin, and its first rows are typed without leaving the keyboard', async () => {
    await goTo('/signin?next=/sets', 'Sign in')
    await submit(page, { email, password })
    await heading(page, 'Sets')
    setId = await page.evaluate(async () => {
      const headers = { 'Content-Type': 'application/vnd.api+json' }
      const body = JSON.stringify({ data: { type: 'sets', attributes: { name: '1990 Test Issue' } } })
      const answer = await fetch('/v1/sets', { method: 'POST', headers, body })
      return ((await answer.json()) as { data: { id: string } }).data.id
    })
    await goTo(`/sets/${setId}`, '1990 Test Issue')
    await says('Type them row by row, or import a checklist.')
    await press(page, 'Add cards')
    await focusIs(page, 'name', 'player')
    await type('Michael Jordan', 'Chicago Bulls', 'RC', 'First of the set', '/99')
    await saved('1 Michael Jordan First of the set RC /99')
    await numberIs('2')
    await focusIs(page, 'name', 'player')
    await page.keyboard.type('clyde dr')
    await page.waitForFunction(() => document.querySelector('.pick-list .offer')?.textContent === 'Clyde Drexler')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await saved('2 Clyde Drexler')
    expect(await cards()).toEqual(['1 Michael Jordan First of the set RC /99', '2 Clyde Drexler'])
  })

  test('a new player is made with his row, which says so, and goes with it when the row is taken back', async () => {
    await numberIs('3')
    await type('Somebody New', 'Chicago Bulls')
    await saved('3 Somebody New, with a new player, Somebody New')
    expect(await textOf(page, '.entered .badge')).toBe('new player')
    await press(page, 'Undo last row')
    await says('Deleted: 3 Somebody New')
    const found = () =>
      page.evaluate(async () => {
        const answer = await fetch('/v2/players?filter[name]=Somebody New')
        return ((await answer.json()) as { data: unknown[] }).data.length
      })
    expect(await found()).toBe(0)
    await page.keyboard.press('Enter')
    await saved('3 Somebody New')
    expect(await found()).toBe(1)
  })

  test('rows that are typed without a pause are rows of their own, and the checklist below shows them', async () => {
    await numberIs('4')
    for (const player of ['Alvan Adams', 'Larry Bird', 'Mark Aguirre']) {
      await page.keyboard.type(player)
      await page.keyboard.press('Enter')
    }
    await saved('6 Mark Aguirre')
    expect((await cards()).slice(3)).toEqual(['4 Alvan Adams', '5 Larry Bird', '6 Mark Aguirre'])
    await page.waitForFunction(() => document.querySelectorAll('.card-row').length === 6)
    await focusIs(page, 'name', 'player')
    for (const number of ['6', '5', '4']) {
      await press(page, 'Undo last row')
      await numberIs(number)
    }
    await clear('player')
  })

  test('where the checklist cannot be read again the page says so, and what is typed stays', async () => {
    const typed = () => page.$eval('.entry-form [name=player]', (input) => (input as HTMLInputElement).value)
    const refusal = { status: 503, contentType: 'application/vnd.api+json', body: '{"errors":[{"detail":"Not now."}]}' }
    const hear = (request: HTTPRequest) =>
      request.url().includes('/pages/content/') ? request.respond(refusal) : request.continue()
    await numberIs('4')
    await page.setRequestInterception(true)
    page.on('request', hear)
    await page.keyboard.type('Larry Bird')
    await page.keyboard.press('Enter')
    await numberIs('5')
    await page.keyboard.type('Alvan')
    await page.waitForSelector('.notice.bad')
    expect(await textOf(page, '.notice.bad')).toContain('Not now.')
    expect(await typed()).toBe('Alvan')
    page.off('request', hear)
    await page.setRequestInterception(false)
    await press(page, 'Try again')
    await page.waitForFunction(() => document.querySelectorAll('.card-row').length === 4)
    expect(await typed()).toBe('Alvan')
    await clear('player')
    await press(page, 'Undo last row')
    await says('Deleted: 4 Larry Bird')
    await clear('player')
  })

  test('a row that is refused while the next one is typed waits, and comes back to be fixed', async () => {
    await numberIs('4')
    const typed = Promise.withResolvers<void>()
    await loseNextAnswer('the row', typed.promise)
    await page.keyboard.type('Larry Bird')
    await page.keyboard.press('Enter')
    await numberIs('5')
    await page.keyboard.type('Alvan')
    typed.resolve()
    await says('4 Larry Bird Can’t reach the service.')
    expect(await page.$eval('.entry-form [name=player]', (input) => (input as HTMLInputElement).value)).toBe('Alvan')
    await press(page, 'Fix 4 Larry Bird')
    await numberIs('4')
    await press(page, 'Save row')
    await saved('4 Larry Bird')
    await numberIs('5')
    expect(await page.$eval('.entry-form [name=player]', (input) => (input as HTMLInputElement).value)).toBe('Alvan')
    await clear('player')
    await press(page, 'Undo last row')
    await says('Deleted: 4 Larry Bird')
    await clear('player')
  })

  test('codes are offered as they are typed, each behind its comma', async () => {
    await numberIs('4')
    await page.locator('.entry-form [name=codes]').fill('AS, r')
    const offered = () => page.$$eval('.pick-list:not([hidden]) .offer', (all) => all.map((one) => one.textContent))
    await page.waitForFunction(() => document.querySelector('.pick-list:not([hidden]) .offer'))
    expect((await offered()).some((one) => one?.startsWith('RC'))).toBeTrue()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await page.$eval('.entry-form [name=codes]', (input) => (input as HTMLInputElement).value)).toBe('AS, RC')
    await clear('codes')
    await page.focus('.entry-form [name=player]')
  })

  test('what the service refuses stands beside its field, and the row stays', async () => {
    await numberIs('4')
    await type('Michael Jordan', '', '', 'T'.repeat(501))
    await page.waitForSelector('.entry-form [name=title][aria-invalid=true]')
    expect(await textOf(page, '.entry-form .fault')).toContain('500')
    await focusIs(page, 'name', 'title')
    await page.keyboard.down('Control')
    await page.keyboard.press('a')
    await page.keyboard.up('Control')
    await type('Short')
    await saved('4 Michael Jordan Short')
  })

  test('a row that could not be sent stays, and is sent again as one card', async () => {
    await numberIs('5')
    await page.setOfflineMode(true)
    await type('Michael Jordan')
    await says('Can’t reach the service.')
    expect(await page.$eval('.entry-form [name=player]', (input) => (input as HTMLInputElement).value)).toBe(
      'Michael Jordan',
    )
    await page.setOfflineMode(false)
    await press(page, 'Save row')
    await saved('5 Michael Jordan')
    expect((await cards()).filter((name) => name.startsWith('5 '))).toEqual(['5 Michael Jordan'])
  })

  test('a row whose answer was lost is there once, after it is sent again', async () => {
    await numberIs('6')
    await loseNextAnswer()
    await type('Clyde Drexler')
    await says('Can’t reach the service.')
    await press(page, 'Save row')
    await saved('6 Clyde Drexler')
    expect((await cards()).filter((name) => name.startsWith('6 '))).toEqual(['6 Clyde Drexler'])
    await press(page, 'Undo last row')
    await says('Deleted: 6 Clyde Drexler')
    await clear('player')
  })

  test('the last row is taken back into the form, and what is done stands in the checklist', async () => {
    await press(page, 'Undo last row')
    await says('Deleted: 5 Michael Jordan')
    await numberIs('5')
    expect(await cards()).toHaveLength(4)
    await page.keyboard.press('Enter')
    await saved('5 Michael Jordan')
    await focusIs(page, 'name', 'player')
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.querySelectorAll('.card-row').length === 5)
    await page.waitForFunction(() => document.activeElement?.textContent === 'Add cards')
  })

  test('a card is deleted from the checklist by its row, after a question, and brought back', async () => {
    await page.focus('.card-row:nth-child(2) .to-card')
    await page.keyboard.press('Delete')
    await says('You can undo this.')
    await confirm()
    await says('Deleted: 2 Clyde Drexler')
    await page.waitForFunction(() => document.querySelectorAll('.card-row').length === 4)
    await page.locator('.edit-said button').click()
    await page.waitForFunction(() => document.querySelectorAll('.card-row').length === 5)
  })

  test('a set with cards goes on after its last number', async () => {
    await goTo(`/sets/${fleer}`, '1986-87 Fleer Basketball')
    await press(page, 'Add cards')
    await numberIs('133')
    await page.keyboard.press('Escape')
  })

  test('rows are typed accessibly in light and dark, at a desk and on a telephone', () =>
    expectFit(async () => {
      await page.goto(`${address}/sets/${setId}`)
      await press(page, 'Add cards')
      await page.waitForSelector('.entry-form')
      await page.keyboard.type('mich')
      await page.waitForSelector('.pick-list .offer')
    }))

  test('nothing went wrong behind the pages: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
