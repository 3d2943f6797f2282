import { existsSync } from 'node:fs'
import { openDatabase } from '../../db/client.ts'
import { migrate } from '../../db/migrate.ts'
import { readChecklist } from '../../src/catalog/import/read/checklist.ts'
import { writeChecklist } from '../../src/catalog/import/write/checklist.ts'
import { writeCards } from '../../src/catalog/write/card/write.ts'
import type { CardPlan, CardRecord } from '../../src/catalog/write/record.ts'
import { enter } from '../../src/catalog/write/write-transaction.ts'
import { Audience } from '../../src/lib/audience.ts'
import { median } from './figures.ts'

/** Where the CardLists collection lies; bench and tests say so and skip where it is missing. */
export const cardLists = () => {
  const place = process.env.CARDLISTS ?? `${import.meta.dir}/../../../shared/data/cardlists`
  if (!existsSync(place)) return undefined
  const archive = [...new Bun.Glob('*.tar*').scanSync(place)][0]
  return archive ? `${place}/${archive}` : place
}

type ImportRow = { name: string; rows: number; seconds: number; perSecond: number }

/** How many times as long as any second import one may take that keeps fields that somebody corrected, and how many these are. */
export const correctedBound = 1.5
const correctedFields = 1000

type ImportTimes = { rows: ImportRow[]; corrected: { ratio: number; seconds: number; fields: number } }

/**
 * Imports the collection, and copies the same rows with COPY into a database whose tables have the same indexes and constraints,
 * counted by the views of the recomputed truth; then imports it again, and once more after fields were corrected by hand. Each
 * round has fresh databases, every other one begins with COPY; the medians of all rounds.
 */
export const compareImport = async (
  fresh: (name: string) => Promise<string>,
  source: string,
  rounds: number,
): Promise<ImportTimes> => {
  const times: Record<'import' | 'again' | 'copy' | 'corrected', number[]> = {
    ...{ import: [], again: [], copy: [], corrected: [] },
  }
  let [cards, fields] = [0, 0]
  let filled: string | undefined
  for (let round = 0; round < rounds; round++) {
    const copiesFirst = filled !== undefined && round % 2 === 1
    if (filled && copiesFirst) times.copy.push(await timeCopy(filled, await fresh('cardstock_bench_copy')))
    const url = await fresh(`cardstock_bench_import_${round % 2}`)
    const imported = await openDatabase({ databaseUrl: url, dataDir: '' })
    await migrate(imported)
    const importAll = () => timed(() => writeAll(imported, source))
    times.import.push(await importAll())
    filled = url
    if (!copiesFirst) times.copy.push(await timeCopy(filled, await fresh('cardstock_bench_copy')))
    times.again.push(await importAll())
    cards = await countCards(imported)
    fields = await correct(imported)
    times.corrected.push(await importAll())
    if ((await countCorrected(imported)) !== fields) throw new Error('The import did not keep every corrected field.')
    await imported.close()
  }
  const row = (name: string, seconds: number) => ({ name, rows: cards, seconds, perSecond: cards / seconds })
  const again = median(times.again)
  const corrected = median(times.corrected)
  return {
    rows: [row('import', median(times.import)), row('import again', again), row('COPY', median(times.copy))],
    corrected: { fields, seconds: corrected, ratio: corrected / again },
  }
}

const timed = async (work: () => Promise<unknown>) => {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

const writeAll = (db: Opened, source: string) =>
  writeChecklist(db, readChecklist({ path: source }), { publish: true, now: () => new Date() })

/** How long COPY of an imported database into an empty one takes, with the counts. */
const timeCopy = async (importedUrl: string, copiedUrl: string) => {
  const imported = await openDatabase({ databaseUrl: importedUrl, dataDir: '' })
  const copied = await openDatabase({ databaseUrl: copiedUrl, dataDir: '' })
  await migrate(copied)
  const seconds = await timed(async () => {
    for (const table of tables) await copyTable(imported, [importedUrl, copiedUrl], table)
    await countCopied(copied)
  })
  await imported.close()
  await copied.close()
  return seconds
}

const countCards = async ({ sql }: Opened) => {
  const [counted] = await sql<{ cards: number }[]>`select count(*)::int as cards from cards`
  return counted?.cards ?? 0
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
