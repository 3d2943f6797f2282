import { expect, test } from 'bun:test'
import { privateWebhooks } from '../../support/delivering.ts'
import { heading, press, submit, textOf } from '../../support/pages/chromium.ts'
import { visitDemo } from '../../support/pages/visit.ts'
import { aReceiver, isSignedWith, type Message } from '../../support/receiver.ts'
import { until } from '../../support/until.ts'

const visit = await visitDemo('webhooks in a browser', privateWebhooks)
if (visit) {
  const { served, page, wrong, goTo, says, confirm, expectFit } = visit
  const receiver = aReceiver(() => new Response('not today', { status: 503 }))
  /** The secret that is shown once. */
  const shown = () => textOf(page, '.notice.good code')
  let secret = ''

  test('an operator makes a webhook for their account, with its secret', async () => {
    await page.goto(`${served.address}/signin?next=/account/webhooks`)
    await submit(page, { email: served.email, password: served.password })
    await heading(page, 'Webhooks')
    await submit(page, { target_url: 'http://shop.example.com/' })
    await says('Must begin with https')
    await submit(page, { target_url: receiver.url })
    secret = await shown()
    expect(secret).toStartWith('whsec_')
    await visit.follow(receiver.url, 'Webhook')
    await says('catalog.changed')
  })

  test('sends it a test, sees how it was answered, and sends it again', async () => {
    await press(page, 'Send a test')
    await says('It answered 503.')
    receiver.answer = () => new Response(null, { status: 204 })
    await page.locator('xpath/.//button[starts-with(normalize-space(),"Send again")]').click()
    await says('delivered')
    expect(receiver.messages.map((message: Message) => isSignedWith(secret, message))).toEqual([true, true])
  })

  test('pauses it, resumes it, rotates its secret and deletes it', async () => {
    await press(page, 'Pause')
    await says('paused')
    await press(page, 'Resume')
    await says('active')
    await press(page, 'Rotate secret')
    await confirm()
    const next = await shown()
    expect(next).not.toBe(secret)
    receiver.messages.length = 0
    await press(page, 'Send a test')
    await until(() => receiver.messages.length > 0)
    expect(isSignedWith(next, receiver.messages[0] as Message)).toBe(true)
    const at = new URL(page.url()).pathname.replace('/account', '/operations')
    await goTo(at, 'Webhook')
    await says(receiver.url)
    await expectFit(() => goTo(at, 'Webhook'))
    await press(page, 'Delete webhook')
    await confirm()
    await heading(page, 'Webhooks')
    await says('There are no webhooks.')
  })

  test('nothing went wrong behind the pages', () => {
    expect(wrong.filter((one) => !one.includes('422'))).toEqual([])
  })
}
