/*
 * Mail is a job: `context.mail.queue(tx, …)` seals the message (AES-256-GCM, with a key derived from the service's
 * secret), and the payload is blanked once it's sent. The job's id is the idempotency key at Resend, and the file's
 * name without Resend.
 */

import { Type } from '@sinclair/typebox'
import type { Queryable } from '../../db/client.ts'
import type { Config } from '../config.ts'
import { defineJob, GiveUp } from '../jobs/define.ts'
import { enqueueAll } from '../jobs/enqueue.ts'
import { emailKey } from '../lib/email.ts'
import type { Log } from '../lib/log.ts'
import { sealer } from '../lib/seal.ts'
import type { Secrets } from '../lib/secret.ts'
import { callTo, type Tracing, traced } from '../lib/tracing.ts'
import type { Message } from './message.ts'
import { outbox } from './outbox.ts'
import { resendCarrier } from './resend.ts'

/** A mail to one address. Mails with the same key are sent once. */
type Addressed = { to: string; message: Message; key?: string }

/** Mail is queued in the transaction of the change that causes it. The job `send_mail` sends it. */
export type MailPort = Readonly<{
  /** Queues a mail in the caller's transaction. It is sent if that commits. Mails with the same key are sent once. */
  queue: (tx: Queryable, to: string, message: Message, terms: { now: Date; key?: string }) => Promise<void>
  /** Queues many mails in one statement. */
  queueAll: (tx: Queryable, mails: readonly Addressed[], now: Date) => Promise<void>
  /** Sends a queued mail under its job's id, so a second attempt is the same mail. */
  send: (sealed: string, id: string, now: Date) => Promise<void>
}>

/** Sends through Resend if there is a key, otherwise writes to `DATA_DIR/outbox`. Queued mails are sealed with the secret. */
export const openMail = ({
  config,
  secret,
  log,
  tracing,
}: {
  config: Config
  secret: Secrets
  log: Log
  tracing?: Tracing
}): MailPort => {
  const { brand, mail, dataDir } = config
  const { seal, unseal } = sealer(secret, 'mails in the queue')
  const carry = mail.resendApiKey
    ? resendCarrier({ apiKey: mail.resendApiKey, baseUrl: mail.resendBaseUrl })
    : outbox(dataDir, log, config.appEnv !== 'production')
  const from = mail.from ?? `${brand} <${brand}@localhost>`
  const queueAll: MailPort['queueAll'] = async (tx, mails, now) => {
    const payloads = mails.map(({ to, message, key }) => ({
      payload: { sealed: seal(JSON.stringify({ to, message })) },
      key: key && `mail ${key}`,
    }))
    await enqueueAll(tx, sendMail, payloads, now)
  }
  return {
    queue: (tx, to, message, { now, key }) => queueAll(tx, [{ to, message, key }], now),
    queueAll,
    send: async (sealed, id, now) => {
      const opened = unseal(sealed)
      if (opened === undefined) throw new GiveUp('This mail was queued under another APP_SECRET.')
      const { to: given, message } = JSON.parse(opened) as { to: string; message: Message }
      const to = emailKey(given)
      if (to === undefined) throw new GiveUp('No mail can be sent to this address.')
      const send = () => carry({ id, to, from, message, now })
      await (mail.resendApiKey ? traced(tracing, callTo('Resend', 'send mail'), send) : send())
    },
  }
}

/** Mails run before other jobs and are retried for about half a day. */
export const sendMail = defineJob({
  name: 'send_mail',
  payload: Type.Object({ sealed: Type.String() }),
  attempts: 20,
  priority: 10,
  forgets: true,
  run: ({ mail }: { mail: MailPort }, { sealed }, { id, now }) => mail.send(sealed, id, now),
})
