import { existsSync } from 'node:fs'
import { openDatabase } from '../../db/client.ts'
import { migrate } from '../../db/migrate.ts'
import { readChecklist } from '../../src/catalog/import/read/checklist.ts'
import { writeChecklist } from '../../src/catalog/import/write/checklist.ts'
import { writeCards } from '../../src/catalog/write/card/write.ts'
import { enter } from '../../src/catalog/write/enter.ts'
import type { CardPlan, CardRecord } from '../../src/catalog/write/record.ts'
import { Audience } from '../../src/lib/audience.ts'

/** Where the CardLists collection lies; bench and tests say so and skip where it is missing. */
export const cardLists = () => {
  const place = process.env.CARDLISTS ?? `${import.meta.dir}/../../../shared/data/cardlists`
  if (!existsSync(place)) return undefined
  const archive = [...new Bun.Glob('*.tar*').scanSync(place)][0]
  return archive ? `${place}/${archive}` : place
}

export type ImportRow = { name: string; rows: number; seconds: number; perSecond: number }

/** How many times as long as any second import one may take that keeps fields that somebody corrected, and how many these are. */
export const correctedBound = 1.5
const correctedFields = 1000

type ImportTimes = { rows: ImportRow[]; corrected: { ratio: number; seconds: number; fields: number } }

/**
 * Imports the collection into one database, then copies the same rows with COPY into another whose tables have the same
 * indexes and constraints, and counts them by the views of the recomputed truth. At last it imports once more, after fields were
 * corrected by hand.
 */
export const compareImport = async (importedUrl: string, copiedUrl: string, source: string): Promise<ImportTimes> => {
  const imported = await openDatabase({ databaseUrl: importedUrl, dataDir: '' })
  const copied = await openDatabase({ databaseUrl: copiedUrl, dataDir: '' })
  await migrate(imported)
  await migrate(copied)
  const times: ImportRow[] = []
  const importAll = async (name: string) => {
    const started = performance.now()
    const report = await writeChecklist(imported, readChecklist({ path: source }), {
      publish: true,
      now: () => new Date(),
    })
    return row(name, report.cards.created + report.cards.unchanged, started)
  }
  for (const name of ['import', 'import again']) times.push(await importAll(name))
  const started = performance.now()
  for (const table of tables) await copyTable(imported, [importedUrl, copiedUrl], table)
  await countCopied(copied)
  times.push(row('COPY', times[0]?.rows ?? 0, started))
  const fields = await correct(imported)
  const { seconds } = await importAll('import again with corrected fields')
  if ((await countCorrected(imported)) !== fields) throw new Error('The import did not keep every corrected field.')
  await imported.close()
  await copied.close()
  return { rows: times, corrected: { fields, seconds, ratio: seconds / (times[1]?.seconds ?? 0) } }
}

/** Corrects the titles of cards as a PATCH of each does, and answers how many fields imports keep from then on. */
const correct = async (db: Opened) => {
  const cards = await db.sql<{ id: string }[]>`select id from cards order by id limit ${correctedFields}`
  const change = (before: Parameters<CardPlan['change']>[0]) => ({ ...(before as CardRecord), title: 'Corrected' })
  const plans = cards.map(({ id }) => ({ id, change }))
  await enter(db, (tx) => writeCards(tx, plans, { level: Audience.draft, now: new Date(), agent: 'service' }))
  return countCorrected(db)
}

const countCorrected = async ({ sql }: Opened) => {
  const [counted] = await sql<{ fields: number }[]>`select count(*)::int as fields from curated_fields`
  return counted?.fields ?? 0
}

/** Counts what was copied by the views of the recomputed truth. */
export const countCopied = async ({ sql }: Opened) => {
  await sql`delete from card_blocks`
  await sql`delete from tallies`
  await sql`insert into card_blocks select level, block, live, published from true_blocks`
  await sql`
    insert into tallies (list, id, live, published, live_roots, published_roots)
    select list, id, live, published, live_roots, published_roots from true_tallies`
}

const row = (name: string, rows: number, started: number): ImportRow => {
  const seconds = (performance.now() - started) / 1000
  return { name, rows, seconds, perSecond: rows / seconds }
}

const tables = [
  'attributes',
  'brands',
  'genres',
  'manufacturers',
  'years',
  'teams',
  'players',
  'player_teams',
  'sets',
  'cards',
  'oncard',
  'card_attributes',
]

type Opened = Awaited<ReturnType<typeof openDatabase>>

/** One table through `psql`, from stdout to stdin: nothing is parsed on the way. */
export const copyTable = async (from: Opened, [fromUrl, toUrl]: [string, string], table: string) => {
  const columns = await from.sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER' order by ordinal_position`
  const target = `${table} (${columns.map(({ name }) => `"${name}"`).join(', ')})`
  await Bun.$`psql -q ${fromUrl} -c ${`copy ${target} to stdout`} | psql -q ${toUrl} -c ${`copy ${target} from stdin`}`.quiet()
}
