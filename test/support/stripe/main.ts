import { parseArgs } from 'node:util'
import { openStripeDouble } from './double.ts'
import type { Event } from './world.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4242' },
    webhook: { type: 'string', default: 'http://localhost:3000/webhooks/stripe' },
  },
})

const double = openStripeDouble({ port: Number(values.port) })

const receive = async (body: string, signature: string) => {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': signature }
  const answer = await fetch(values.webhook, { method: 'POST', headers, body })
  return answer.status
}

/** Delivers an event until it is accepted, as Stripe does, but with less patience. */
const deliver = async (event: Event) => {
  for (const waitSeconds of [0, 1, 2, 4, 8, 16, 32]) {
    await Bun.sleep(waitSeconds * 1000)
    const status = await double.deliver(receive, event).catch(() => undefined)
    console.log(`${event.type} ${event.id}: ${status ?? 'nobody answers'}`)
    if (status === 200) return
  }
}

console.log(
  `A fake Stripe is running at ${double.origin} and sends events to ${values.webhook}. Start the service with:\n`,
)
for (const [name, value] of Object.entries(double.environment)) console.log(`  export ${name}=${value}`)
console.log('\nOpen the URL that a checkout returns in a browser, or pay with: curl -X POST URL\n')

for (let delivered = 0; ; delivered++) {
  while (delivered >= double.world.events.length) await Bun.sleep(50)
  const event = double.world.events[delivered]
  if (event) void deliver(event)
}
