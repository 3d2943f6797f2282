import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Queryable } from '../../db/client.ts'
import { demoImages } from '../../db/demo/images/index.ts'
import { demoChecklists } from '../../db/demo/index.ts'
import { issueLoggedKey } from '../access/credential-log.ts'
import { findCredential } from '../access/credentials.ts'
import { refuseOnMirror } from '../access/mirror.ts'
import { hashPassword } from '../access/passwords.ts'
import { activatePlan } from '../accounts/subscriptions.ts'
import { findUser, insertUser } from '../accounts/users.ts'
import { keepImage } from '../catalog/images/upload.ts'
import { readChecklist } from '../catalog/import/read/checklist.ts'
import { writeChecklist } from '../catalog/import/write/checklist.ts'
import { imageSides } from '../catalog/model/image-formats.ts'
import type { Context } from '../context.ts'
import { randomText } from '../lib/secret.ts'
import { actNow } from './command.ts'

/** The demo's credentials: an operator who may do everything, and a key that can read. */
export type DemoAccess = { email: string; password: string; key: string }

const email = 'operator@cardstock.example'

/** Loads the demo checklists once per database, so later changes and deletions stay. */
export const loadDemo = async (context: Context) => {
  const { db, clock } = context
  const loaded = await db.sql`select 1 from settings where name = 'demo_loaded'`
  if (loaded.length > 0) return
  await refuseOnMirror(db)
  for (const { name, text, publish } of demoChecklists) {
    const stream = new Blob([text]).stream() as unknown as AsyncIterable<Uint8Array>
    const items = readChecklist({ name, stream })
    const report = await writeChecklist(db, items, { publish, now: clock.now, agent: 'command-line' })
    if (report.faultCount > 0) throw new Error(`The demo checklist ${name} has ${report.faultCount} bad rows.`)
  }
  await loadPictures(context)
  await db.sql`insert into settings (name, value) values ('demo_loaded', 'yes') on conflict (name) do nothing`
}

/** Gives the demo's cards their pictures. A card that got them in an earlier, interrupted start keeps those. */
const loadPictures = async (context: Context) => {
  const found = await context.db.sql<{ id: string; set: string; number: string }[]>`
    select c.id, s.name as set, c.number from cards c join sets s on s.id = c.set_id
    where s.name in ${context.db.sql(demoImages.map(({ set }) => set))} and c.image_ids is null and c.deleted_at is null`
  const writer = { level: 1, ...actNow(context) } as const
  const give = async ({ set, number, files }: (typeof demoImages)[number]) => {
    const card = found.find((one) => one.set === set && one.number === number)
    if (!card) return
    for (const [index, file] of files.entries()) {
      const bytes = await Bun.file(file).bytes()
      await keepImage(context, writer, {
        bytes,
        pointer: '',
        imageType: imageSides[index] ?? 'front',
        cardId: card.id,
        cardSource: { pointer: '' },
      })
    }
  }
  await Promise.all(demoImages.map(give))
}

/** The demo's operator and key: those in DATA_DIR while they work, otherwise new ones. */
export const readDemoAccess = async (context: Context): Promise<DemoAccess> => {
  const { db, config } = context
  const path = join(config.dataDir, 'quickstart.json')
  const kept = await readFile(path, 'utf8').then(JSON.parse, () => undefined)
  if (kept?.key && (await findCredential(db, 'subscriber_key', { secret: kept.key }))) return kept
  const access = await makeAccess(context)
  await mkdir(config.dataDir, { recursive: true })
  const file = await open(path, 'w', 0o600)
  await file.writeFile(`${JSON.stringify(access, null, 2)}\n`)
  await file.close()
  return access
}

const makeAccess = async (context: Context): Promise<DemoAccess> => {
  const { db, config } = context
  const act = actNow(context)
  const password = randomText(16)
  const passwordHash = await hashPassword(password)
  const key = await db.transaction(async (tx) => {
    const user = await operatorWith(tx, passwordHash, act.now)
    await activatePlan(tx, user.id, 'pro', config.trialDays, act.now)
    return issueLoggedKey(tx, act, user.id, config, 'pro')
  })
  return { email, password, key: key.secret }
}

const operatorWith = async (tx: Queryable, passwordHash: string, now: Date) => {
  const user = await findUser(tx, email)
  if (!user) return insertUser(tx, { email, passwordHash, operator: true, name: 'Demo operator' }, now)
  await tx.sql`update users set password_hash = ${passwordHash}, updated_at = ${now.toISOString()} where id = ${user.id}`
  return user
}
