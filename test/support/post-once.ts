import { postDelivery } from '../../src/webhooks/deliveries/post.ts'

/** Sends one delivery to a URL whose name has this machine's address, and prints how it went. Run with a certificate to trust. */
const [targetUrl = ''] = process.argv.slice(2)
const outgoing = { targetUrl, id: 'one', signature: 'v1,none', seconds: 1, body: '{}' }
const attempt = await postDelivery(outgoing, {
  ...{ webhookAllowPrivate: true, appEnv: 'development', brand: 'cardstock' },
  ...{ resolve: async () => ['127.0.0.1'], signal: new AbortController().signal },
})
console.log(JSON.stringify(attempt))
