import { countOn } from '../access/limiter.ts'
import { networkOf } from '../access/network.ts'
import type { Context } from '../context.ts'
import type { Call, Reply } from '../http/route.ts'
import { ownWindows } from '../limits.ts'
import { type Client, invalidClient, readProof } from './client.ts'
import { oauthRefusal, withOauthWindow } from './refusal.ts'

type Answer = (context: Context, call: Call, client: Client, token: string) => Promise<Reply>

/**
 * Answers a client that proves its identity and sends a token (RFC 7009 §2.1, RFC 7662 §2.1). Requests that can't prove it are
 * counted by address, so that nobody locks out somebody else's client.
 */
export const byClient =
  (what: string, answer: Answer) =>
  async (context: Context, call: Call): Promise<Reply> => {
    const { asked, proven } = await readProof(context, call)
    const [key, allowance] = proven
      ? [`client ${proven.id}`, ownWindows.oauthQuestion]
      : [`address ${networkOf(call.caller.address)}`, ownWindows.oauthToken]
    const window = await countOn(context.db, context.clock, `oauth-${what} ${key}`, allowance)
    const reply = async () => {
      if (typeof asked === 'string') return oauthRefusal(400, 'invalid_request', asked)
      if (!proven) return invalidClient()
      const { token } = asked.fields
      return token ? answer(context, call, proven, token) : oauthRefusal(400, 'invalid_request', 'token is missing.')
    }
    return withOauthWindow(window.isOpen ? await reply() : { status: 429 }, window)
  }
