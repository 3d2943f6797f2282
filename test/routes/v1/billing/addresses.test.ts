import { expect, test } from 'bun:test'
import { testBilling } from '../../../support/billing.ts'
import { aPerson, flat } from '../../../support/people.ts'

const { app, stripe } = await testBilling({
  TRUSTED_ORIGINS: 'https://shop.example.org,http://localhost:5173,https://[2001:db8::1]:8443',
})
const { person } = await aPerson(app)

/** The members of both endpoints that hold an address, each with what else the body needs. */
const members = [
  ['/v1/billing/checkout', 'success_url', { plan: 'pro' }],
  ['/v1/billing/checkout', 'cancel_url', { plan: 'pro' }],
  ['/v1/billing/portal', 'return_url', {}],
] as const

const trusted = [
  'https://shop.example.org',
  'https://shop.example.org/',
  'https://shop.example.org:443/thanks?a=b&c=%2F..%5C#done',
  'HTTPS://Shop.Example.Org/thanks',
  'https://shop.example.org?session={CHECKOUT_SESSION_ID}',
  'https://shop.example.org/thanks?back=https://evil.example/',
  'http://localhost:5173/@user',
  'https://[2001:db8::1]:8443/x',
  'http://cards.example.org/account',
]

const foreign = [
  // Another host, which begins, ends or looks like one that is trusted.
  ...['https://evil.example/', 'https://shop.example.org.evil.example/', 'https://evil-shop.example.org/'],
  ...['https://shop.example.orgevil.example', 'https://shop.example.org./', 'https://sub.shop.example.org/'],
  ...['https://evil.example/https://shop.example.org', 'https://evil.example?https://shop.example.org/'],
  ...['https://evil.example#https://shop.example.org', 'https://sh\u043Ep.example.org/'],
  // Another scheme or port.
  ...['http://shop.example.org/', 'https://shop.example.org:444/', 'http://localhost/', 'https://cards.example.org/'],
  ...[
    'javascript:alert(1)',
    'javascript://shop.example.org/%0aalert(1)',
    'data:text/html,x',
    'ftp://shop.example.org/',
  ],
  ...[
    'blob:https://shop.example.org/x',
    '//shop.example.org/',
    '/thanks',
    'shop.example.org',
    'https:shop.example.org',
  ],
  ...['https:///shop.example.org', 'https:/shop.example.org'],
  // Users, and what programs read differently.
  ...['https://shop.example.org@evil.example/', 'https://user:word@shop.example.org/', 'https://@shop.example.org/'],
  ...[
    'https://evil.example\\@shop.example.org/',
    'https://shop.example.org\\@evil.example/',
    'https:\\\\shop.example.org',
  ],
  ...[
    'https://shop.example.org\\.evil.example',
    'https://shop.example.org/\\evil.example',
    'https://shop%2eexample.org/',
  ],
  ...['https://shop.example.org%2f@evil.example/', 'https://shop.example.org%00.evil.example/'],
  ...[
    ' https://shop.example.org/',
    'https://shop.example.org/ x',
    'https://shop.exa\tmple.org/',
    'https://shop.example.org/\n',
  ],
  ...['https://\uFF53hop.example.org/', 'https://shop\u3002example\u3002org/', 'https://shop.example.org/\u202e', ''],
]

for (const [path, member, rest] of members) {
  test(`${member} may lead to an origin that is trusted`, async () => {
    for (const address of trusted) {
      const { status, flat: body } = await flat(person, 'POST', path, { ...rest, [member]: address })
      expect([address, status]).toEqual([address, 200])
      const id = body.url.split('/').at(-1)
      const opened = stripe.world.sessions.get(id) ?? stripe.world.portals.get(id)
      expect(opened?.[member as keyof typeof opened]).toBe(address as never)
    }
  })
  test(`${member} may lead nowhere else, whatever it looks like`, async () => {
    const before = stripe.asked.length
    for (const address of foreign) {
      const { status, faults } = await flat(person, 'POST', path, { ...rest, [member]: address })
      expect([address, status, faults]).toEqual([address, 422, [`VALIDATION-FAILED /${member}`]])
    }
    for (const value of [null, 1, {}, [trusted[0]], `https://shop.example.org/${'a'.repeat(2048)}`])
      expect((await flat(person, 'POST', path, { ...rest, [member]: value })).status).toBe(422)
    expect(stripe.asked.length).toBe(before)
  })
}
