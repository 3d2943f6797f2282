import { expect, test } from 'bun:test'
import { seriousFaults } from '../../support/pages/axe.ts'
import { heading, submit } from '../../support/pages/chromium.ts'
import { visitDemo } from '../../support/pages/visit.ts'

const visit = await visitDemo('the way back from paying in a browser')
if (visit) {
  const { served, page, wrong, goTo, says } = visit
  const { address, email, password } = served

  test.each([
    ['cancelled', 'You left the payment page'],
    ['success', 'Thank you'],
  ])(
    'who comes back from the payment page with “%s” is told so once, and the address forgets it',
    async (came, said) => {
      if (!(await page.cookies(address)).length) {
        await page.goto(`${address}/signin`)
        await submit(page, { email, password })
        await heading(page, 'Operations')
      }
      await goTo(`/account?checkout=${came}`, 'Account')
      await says(said)
      expect(await seriousFaults(page)).toEqual([])
      expect(new URL(page.url()).search).toBe('')
      await page.reload()
      await heading(page, 'Account')
      await page.waitForFunction(() => !document.querySelector('.placeholder'))
      expect(await page.$eval('main', (main) => main.innerText)).not.toContain(said)
    },
  )

  test('nothing went wrong behind the pages: no error, and nothing that the policy refused', () => {
    expect(wrong).toEqual([])
  })
}
