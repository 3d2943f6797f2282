import { createInvite, endInvite, type Invite, readInvites } from '../../accounts/invites/invite.ts'
import { isUuid } from '../../jsonapi/fields.ts'
import { isEmail } from '../../lib/email.ts'
import { answer, dateOf, jsonFlag, lineOf, positive } from '../answers.ts'
import { actNow, type Command, Failed, WrongUsage } from '../command.ts'
import { on, readFlags, text } from '../flags.ts'

export const inviteCreate: Command = {
  name: 'invite create',
  summary: 'create a sign-up invite',
  help: `Usage: cardstock invite create [--label L] [--email E] [--max-uses N] [--expires DATE | --never] [--json]

  --label L        what it is for
  --email E        only for this address
  --max-uses N     how many people may sign up with it; 1 by default
  --expires DATE   when it expires, such as 2026-12-24 or 2026-12-24T18:00:00Z; 14 days from now by default
  --never          it never expires
  --json           print {"id","code"}
`,
  run: async (context, args, io) => {
    const { flags } = readFlags(args, {
      label: text,
      email: text,
      'max-uses': text,
      expires: text,
      never: on,
      ...jsonFlag,
    })
    const { email, never } = flags
    const label = lineOf(flags.label, 'label')
    if (email !== undefined && !isEmail(email)) throw new WrongUsage(`${email} is not an e-mail address`)
    if (never && flags.expires !== undefined) throw new WrongUsage('--expires and --never cannot be combined')
    const expiresAt = never ? null : dateOf(flags.expires, 'expires', '2026-12-24')
    const maxUses = flags['max-uses'] === undefined ? undefined : positive(flags['max-uses'], 'max-uses')
    const terms = { label, email, maxUses, expiresAt }
    const { id, code } = await createInvite(context.db, terms, actNow(context))
    return answer(io, flags.json, { id, code }, [code, `The code is shown only once. The invite's id is ${id}.`])
  },
}

export const inviteList: Command = {
  name: 'invite list',
  summary: 'list the invites and how often each was used',
  help: `Usage: cardstock invite list [--json]

A use is held until whoever signed up verifies their address.

  --json   print {"invites":[…]}
`,
  run: async ({ db, clock }, args, io) => {
    const { flags } = readFlags(args, jsonFlag)
    const now = clock.now()
    const invites = await readInvites(db, { now })
    return answer(
      io,
      flags.json,
      { invites: invites.map(asJson) },
      invites.length > 0 ? invites.map((invite) => asLine(invite, now)) : ['There are no invites.'],
    )
  },
}

export const inviteRevoke: Command = {
  name: 'invite revoke',
  summary: 'revoke an invite; accounts made with it stay',
  help: `Usage: cardstock invite revoke ID [--json]

  ID       its id
  --json   print {"id","revoked"}
`,
  run: async (context, args, io) => {
    const { flags, words } = readFlags(args, jsonFlag, ['ID'])
    const [id = ''] = words
    const isRevoked = isUuid(id) && (await endInvite(context.db, id, actNow(context)))
    if (!isRevoked) throw new Failed(`There is no live invite ${id}.`)
    return answer(io, flags.json, { id, revoked: true }, [`Invite ${id} is revoked.`])
  },
}

const asJson = ({ id, label, email, max_uses, claims, holds, expires_at, revoked_at, created_at }: Invite) => ({
  ...{ id, label, email, max_uses, claims, holds, expires_at, revoked_at, created_at },
})

const asLine = (invite: Invite, now: Date) => {
  const { id, label, email, max_uses: maxUses, claims, holds, expires_at: expiresAt, revoked_at: revokedAt } = invite
  const isPast = expiresAt !== null && Date.parse(expiresAt) <= now.getTime()
  const state = revokedAt
    ? 'revoked'
    : isPast
      ? 'expired'
      : expiresAt
        ? `until ${expiresAt.slice(0, 10)}`
        : 'never expires'
  return [id, `${claims} of ${maxUses} used`, `${holds} held`, state, email, label]
    .filter((part) => part !== null)
    .join('  ')
}
