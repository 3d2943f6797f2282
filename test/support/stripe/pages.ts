import { type Move, moves, pay } from './moves.ts'
import type { Portal, Session, World } from './world.ts'

const page = (title: string, body: string, status = 200) =>
  new Response(`<!doctype html><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>\n${body}\n`, {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  })

const button = (action: string, label: string) =>
  `<form method="post" action="${action}"><button>${label}</button></form>`

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

const link = (address: string, label: string) => `<p><a href="${escaped(address)}">${label}</a></p>`

const gone = () => page('There is no such page', '', 404)

const seeOther = (address: string) => new Response(null, { status: 303, headers: { Location: address } })

/** A page that a browser or curl opens and clicks on. Undefined if there is no such page. */
export const showPage = (world: World, method: string, path: string): Response | undefined => {
  const [, kind, id = '', move] = path.split('/')
  if (kind === 'pay') return checkout(world, world.sessions.get(id), method, move)
  if (kind === 'portal') return portal(world, world.portals.get(id), method, move)
  return undefined
}

const checkout = (world: World, session: Session | undefined, method: string, move: string | undefined) => {
  if (session?.status !== 'open' || world.customers.get(session.customer)?.deleted) return gone()
  const own = `/pay/${session.id}`
  if (method === 'POST' && move === 'declined') return page('The card was declined', link(own, 'Try another'), 402)
  if (method === 'POST') {
    pay(world, session)
    return seeOther(session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id))
  }
  const price = world.prices.get(session.price)
  const label = `Pay ${((price?.unit_amount ?? 0) / 100).toFixed(2)} ${price?.currency.toUpperCase()} a month`
  const choices = [button(own, label), button(`${own}/declined`, 'Pay with a card that is declined')]
  return page('Checkout', [...choices, link(session.cancel_url, 'Back')].join('\n'))
}

const portal = (world: World, opened: Portal | undefined, method: string, move = '') => {
  if (!opened) return gone()
  const own = `/portal/${opened.id}`
  const held = [...world.subscriptions.values()].filter(
    ({ customer, status }) => customer === opened.customer && status !== 'canceled',
  )
  if (method === 'POST') {
    if (!Object.hasOwn(moves, move)) return gone()
    for (const subscription of held) moves[move as Move](world, subscription)
    return seeOther(own)
  }
  const shown = held.map(({ id, status, items, cancel_at_period_end }) => {
    const plans = items.data.map(({ price }) => price.id).join(', ')
    return `<p>${id}: ${plans}, ${status}${cancel_at_period_end ? ', ends with the period' : ''}</p>`
  })
  const choices = Object.keys(moves).map((name) => button(`${own}/${name}`, name))
  return page('Your subscription', [...shown, ...choices, link(opened.return_url, 'Back')].join('\n'))
}
