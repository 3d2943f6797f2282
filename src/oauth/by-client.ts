import { countOn } from '../access/limiter.ts'
import { networkOf } from '../access/network.ts'
import type { Context } from '../context.ts'
import type { Call, Reply } from '../http/route.ts'
import { ownWindows } from '../limits.ts'
import { type Client, findClient, invalidClient, isProven } from './client.ts'
import { readClientRequest } from './client-request.ts'
import { oauthRefusal, withOauthWindow } from './refusal.ts'

/** A client that proves itself may ask so often; whoever cannot is counted by address, so that nobody shuts out another. */
const allowances = { client: ownWindows.oauthQuestion, address: ownWindows.oauthToken }

type Answer = (context: Context, call: Call, client: Client, token: string) => Promise<Reply>

/** Answers a client that proves itself and brings a token to speak of (RFC 7009 §2.1, RFC 7662 §2.1). */
export const byClient =
  (what: string, answer: Answer) =>
  async (context: Context, call: Call): Promise<Reply> => {
    const asked = readClientRequest(await call.body(), call.request.headers)
    const found = typeof asked === 'string' ? undefined : await findClient(context, asked.clientId)
    const client = typeof asked !== 'string' && isProven(found, asked) ? found : undefined
    const [key, allowance] = client
      ? [`client ${client.id}`, allowances.client]
      : [`address ${networkOf(call.caller.address)}`, allowances.address]
    const window = await countOn(context.db, context.clock, `oauth-${what} ${key}`, allowance)
    if (!window.isOpen) return withOauthWindow({ status: 429 }, window)
    if (typeof asked === 'string') return withOauthWindow(oauthRefusal(400, 'invalid_request', asked), window)
    if (!client) return withOauthWindow(invalidClient(), window)
    const { token } = asked.fields
    const reply = token
      ? await answer(context, call, client, token)
      : oauthRefusal(400, 'invalid_request', 'token is missing.')
    return withOauthWindow(reply, window)
  }
