import { existsSync } from 'node:fs'
import { openDatabase } from '../../db/client.ts'
import { migrate } from '../../db/migrate.ts'
import { readChecklist } from '../../src/catalog/import/read/checklist.ts'
import { writeChecklist } from '../../src/catalog/import/write/checklist.ts'

/** Where the CardLists collection lies; bench and tests say so and skip where it is missing. */
export const cardLists = () => {
  const place = process.env.CARDLISTS ?? `${import.meta.dir}/../../../shared/data/cardlists`
  if (!existsSync(place)) return undefined
  const archive = [...new Bun.Glob('*.tar*').scanSync(place)][0]
  return archive ? `${place}/${archive}` : place
}

export type ImportRow = { name: string; rows: number; seconds: number; perSecond: number }

/**
 * Imports the collection into one database, then copies the same rows with COPY into another whose tables have the same
 * indexes and constraints, and counts them by the views of the recomputed truth.
 */
export const compareImport = async (importedUrl: string, copiedUrl: string, source: string): Promise<ImportRow[]> => {
  const imported = await openDatabase({ databaseUrl: importedUrl, dataDir: '' })
  const copied = await openDatabase({ databaseUrl: copiedUrl, dataDir: '' })
  await migrate(imported)
  await migrate(copied)
  const times: ImportRow[] = []
  for (const name of ['import', 'import again']) {
    const started = performance.now()
    const report = await writeChecklist(imported, readChecklist({ path: source }), {
      publish: true,
      now: () => new Date(),
    })
    times.push(row(name, report.cards.created + report.cards.unchanged, started))
  }
  const started = performance.now()
  for (const table of tables) await copyTable(imported, [importedUrl, copiedUrl], table)
  await countCopied(copied)
  times.push(row('COPY', times[0]?.rows ?? 0, started))
  await imported.close()
  await copied.close()
  return times
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
