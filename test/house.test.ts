import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const root = join(import.meta.dir, '..')

const under = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => /\.(tsx?|sql)$/.test(path) && !path.endsWith('.d.ts'))

const files = ['src', 'db', 'test', 'clients'].flatMap(under).map((path) => {
  const text = readFileSync(join(root, path), 'utf8')
  return { path, text, code: text.replace(/\/\*[\s\S]*?\*\/|(^|[^:])\/\/.*$|^\s*--.*$/gm, '$1') }
})
const sources = files.filter(({ path }) => !path.startsWith('test/'))

/** A file imports its own folder and lower floors; the deepest folder that is named here counts. */
const floors: Record<string, number> = {
  ...{ 'src/start.ts': 6, 'src/main.ts': 6, 'src/commands': 6 },
  ...{ 'src/app.ts': 5, 'src/worker.ts': 5, 'src/server.ts': 5 },
  ...{ 'src/dashboard': 4, 'src/accounts': 4, 'src/billing': 4, 'src/oauth': 4, 'src/operations': 4, 'src/catalog': 4 },
  ...{ 'src/mcp': 4, 'src/webhooks': 4 },
  'src/http': 3,
  ...{ 'src/access': 2, 'src/context.ts': 2 },
  ...{
    'src/audit': 1,
    'src/files': 1,
    'src/jsonapi': 1,
    'src/jobs': 1,
    'src/mail': 1,
    'src/payments': 1,
    'src/tracing': 1,
    'src/processes': 1,
    db: 1,
  },
  // What runs in a browser knows nothing of the service but what is small and pure.
  'src/dashboard/browser': 1,
  ...{
    'src/lib': 0,
    'src/vocabulary': 0,
    'src/config.ts': 0,
    'src/settings.ts': 0,
    'src/limits.ts': 0,
    'src/version.ts': 0,
  },
  // It knows the service by its interface alone.
  clients: 0,
}

/** Rooms of one floor that may look into each other: from, to. */
const doors = new Set([
  ...[
    'src/start.ts src/main.ts',
    'src/main.ts src/commands',
    'src/server.ts src/app.ts',
    'src/server.ts src/worker.ts',
    'src/context.ts src/access',
  ],
  ...['db src/files', 'src/audit db', 'src/jobs db', 'src/mail db', 'src/mail src/jobs'],
  ...[
    'src/operations src/catalog',
    'src/operations src/webhooks',
    'src/webhooks src/catalog',
    'src/dashboard src/accounts',
    'src/dashboard src/catalog',
    'src/mcp src/catalog',
    'src/accounts src/billing',
    ...[
      'src/lib src/limits.ts',
      'src/config.ts src/lib',
      'src/config.ts src/settings.ts',
      'src/config.ts src/limits.ts',
    ],
    ...['src/settings.ts src/lib', 'src/settings.ts src/limits.ts'],
  ],
])

const roomOf = (path: string): string => {
  if (path === '.') return ''
  return path in floors ? path : roomOf(dirname(path))
}

const importsOf = ({ path, code }: (typeof files)[number]) =>
  [...code.matchAll(/(?:from|import)\s*\(?'(\.[^']+\.tsx?)'/g)].map(([, specifier = '']) =>
    normalize(join(dirname(path), specifier)),
  )

test('every file of the house has a floor', () => {
  expect(sources.filter(({ path }) => /\.tsx?$/.test(path) && !roomOf(path)).map(({ path }) => path)).toEqual([])
})

test('a file imports its own folder and lower floors', () => {
  const climbing = sources.flatMap((file) => {
    const from = roomOf(file.path)
    return importsOf(file).flatMap((path) => {
      const to = roomOf(path)
      const isFine = from === to || (floors[to] ?? 0) < (floors[from] ?? 0) || doors.has(`${from} ${to}`)
      return isFine ? [] : [`${file.path} imports ${path}`]
    })
  })
  expect(climbing).toEqual([])
})

/** The floors of the catalog, top to bottom: a file imports its own floor and lower ones. */
const catalogFloors = ['api', 'curate', 'search', 'sync', 'import', 'list', 'images', 'write', 'show', 'model']

test('no import of the catalog climbs', () => {
  const floorOf = (path: string) => catalogFloors.indexOf(/^src\/catalog\/([^/]+)\//.exec(path)?.[1] ?? '')
  const climbing = sources.flatMap((file) =>
    importsOf(file)
      .filter((path) => floorOf(path) >= 0 && floorOf(path) < floorOf(file.path))
      .map((path) => `${file.path} imports ${path}`),
  )
  expect(climbing).toEqual([])
  expect(sources.filter(({ path }) => path.startsWith('src/catalog/') && floorOf(path) < 0)).toEqual([])
})

/** The floors of what writes the catalog, top to bottom: a file imports its own floor and lower ones. */
const writeFloors = [
  ['write-transaction.ts', 'documents.ts'],
  ['merge'],
  ['attached', 'entity'],
  ['card', 'set'],
  ['counts', 'history'],
  ['locks'],
  ['record.ts'],
]

test('no import of the write floor climbs', () => {
  const floorOf = (path: string) => {
    const [, part] = /^src\/catalog\/write\/([^/]+)/.exec(path) ?? []
    return writeFloors.findIndex((floor) => floor.includes(part ?? ''))
  }
  const climbing = sources.flatMap((file) =>
    importsOf(file).filter((path) => floorOf(path) >= 0 && floorOf(path) < floorOf(file.path)),
  )
  expect(climbing).toEqual([])
  expect(sources.filter(({ path }) => path.startsWith('src/catalog/write/') && floorOf(path) < 0)).toEqual([])
})

test('tests of units open no database', () => {
  const known = new Map(files.map((file) => [file.path, file]))
  const opening = files.filter(({ path }) => path.startsWith('test/unit/')).filter((file) => opensDatabase(file, known))
  expect(opening.map(({ path }) => path)).toEqual([])
})

/** Whether a file of the tests, or one that it imports, opens the database that the tests were given. */
const opensDatabase = (
  file: (typeof files)[number],
  known: Map<string, (typeof files)[number]>,
  seen = new Set(''),
): boolean => {
  if (seen.has(file.path) || !file.path.startsWith('test/')) return false
  seen.add(file.path)
  if (file.code.includes('process.env.TEST_DATABASE_URL')) return true
  return importsOf(file).some((path) => {
    const next = known.get(path)
    return next !== undefined && opensDatabase(next, known, seen)
  })
}

test('no files import each other in a circle, types counted', () => {
  const circles = circlesAmong(new Map(sources.map((file) => [file.path, staticImportsOf(file)])))
  expect(circles).toEqual([])
})

const staticImportsOf = ({ path, code }: (typeof files)[number]) =>
  importsOf({ path, text: '', code: code.replace(/\bimport\s*\(/g, 'lazily(') })

/** The groups of files that reach each other and themselves (Tarjan). */
const circlesAmong = (imports: Map<string, string[]>): string[][] => {
  const circles: string[][] = []
  const stack: string[] = []
  const seen = new Map<string, { no: number; lowest: number; stands: boolean }>()
  const visit = (path: string) => {
    const here = { no: seen.size, lowest: seen.size, stands: true }
    seen.set(path, here)
    stack.push(path)
    for (const next of imports.get(path) ?? []) {
      if (!imports.has(next)) continue
      const there = seen.get(next) ?? visit(next)
      if (there.stands) here.lowest = Math.min(here.lowest, there.lowest)
    }
    if (here.lowest === here.no) {
      const circle = stack.splice(stack.indexOf(path))
      for (const one of circle) Object.assign(seen.get(one) ?? {}, { stands: false })
      if (circle.length > 1) circles.push(circle)
    }
    return here
  }
  for (const path of imports.keys()) if (!seen.has(path)) visit(path)
  return circles
}

test('specifiers of imports are relative, with their extension', () => {
  const wrong = files.flatMap(({ path, code }) =>
    [...code.matchAll(/from '(\.[^']*)'/g)].flatMap(([, one = '']) => (/\.\w+$/.test(one) ? [] : [`${path}: ${one}`])),
  )
  expect(wrong).toEqual([])
})

test('files are named in kebab-case, for what they hold', () => {
  const empty = /(^|[-/])(utils?|helpers?|services?|managers?|types|constants|common|misc)[-./]/
  expect(
    files.map(({ path }) => path).filter((path) => !/^(db\/migrations\/\d{4}_[a-z_]+\.sql|[a-z0-9/.-]+)$/.test(path)),
  ).toEqual([])
  expect(sources.map(({ path }) => path).filter((path) => empty.test(path))).toEqual([])
})

test('there is no any, enum, namespace or suppressed type error', () => {
  const banned = /[:<|&,(]\s*any\b|\bas any\b|\benum \w+ \{|\bnamespace \w+ \{|@ts-(ignore|nocheck|expect-error)/
  const found = files.flatMap(({ path, text }) => {
    const bare = text.replace(/'(?:[^'\\\n]|\\.)*'/g, "''").split('\n')
    const line = bare.find((one) => !/^\s*(\*|\/\/|\/\*\*)/.test(one) && banned.test(one))
    return line && /\.tsx?$/.test(path) && path !== 'test/house.test.ts' ? [`${path}: ${line.trim()}`] : []
  })
  expect(found).toEqual([])
})

/** What some engine between here and a distributed PostgreSQL lacks, or a connection pooler breaks. */
const avoided: Record<string, RegExp> = {
  'transition tables': /referencing (old|new) table/i,
  'constraint triggers': /constraint trigger|deferrable|initially deferred/i,
  'update of triggers': /(before|after) [^;]{0,40}update of /i,
  merge: /^\s*merge into/im,
  'uuidv7() in SQL': /[^.\w]uuidv7\(\)/i,
  ctid: /\bctid\b/,
  'unlogged tables': /\bunlogged\b/i,
  domains: /create domain/i,
  citext: /citext/i,
  serial: /^\s+\w+ (big|small)?serial\b|generated (always|by default) as identity/im,
  'advisory locks': /pg_(try_)?advisory/i,
  'select *': /select \*(?! from \()/i,
}

test.each(Object.entries(avoided))('no statement uses %s', (_, form) => {
  const statements = sources.filter(({ path }) => !path.startsWith('db/embedded/'))
  expect(statements.filter(({ code }) => form.test(code)).map(({ path }) => path)).toEqual([])
})

test('only the write floor of the catalog touches what it counts', () => {
  const counted =
    /(insert into|update|delete from)\s+(tallies|card_blocks|changes|oncard|card_attributes|todo_counts)\b/i
  const outside = sources.filter(
    ({ path }) => path.startsWith('src/') && !/^src\/catalog\/(write|sync\/feed)\//.test(path),
  )
  expect(outside.filter(({ code }) => counted.test(code)).map(({ path }) => path)).toEqual([])
})

test('files and folders that the docs name exist', async () => {
  const paths = [
    ...new Bun.Glob('{src,db,test,clients,scripts,docs,findings,.ci}/**').scanSync({ cwd: root, dot: true }),
  ]
  const docs = ['CONTRIBUTING.md', ...[...new Bun.Glob('docs/**/*.md').scanSync(root)].sort()]
  const missing = docs.flatMap((doc) =>
    [
      ...readFileSync(join(root, doc), 'utf8').matchAll(/`((?:[\w.-]+\/)+|(?:[\w.-]+\/)*[\w-]+(?:\.\w+)?\.tsx?)`/g),
    ].flatMap(([, name = '']) =>
      paths.some((path) => (name.endsWith('/') ? `/${path}`.includes(`/${name}`) : `/${path}`.endsWith(`/${name}`)))
        ? []
        : [`${doc}: ${name}`],
    ),
  )
  expect(missing).toEqual([])
})

test('the page of the architecture fits on 200 lines', () => {
  expect(readFileSync(join(root, 'docs/architecture.md'), 'utf8').split('\n').length).toBeLessThanOrEqual(201)
})

test('nothing in the service makes passwords cheap', () => {
  const callers = sources.filter(({ path, code }) => path !== 'src/access/passwords.ts' && /setPasswordCost/.test(code))
  expect(callers.map(({ path }) => path)).toEqual([])
  const { code = '' } = sources.find(({ path }) => path === 'src/access/passwords.ts') ?? {}
  expect(code.match(/setPasswordCost|\bcost = /g)).toEqual(['cost = ', 'setPasswordCost', 'cost = '])
})

test('every password goes through the one lane', () => {
  expect(sources.filter(({ code }) => /Bun\.password/.test(code)).map(({ path }) => path)).toEqual([
    'src/access/passwords.ts',
  ])
})
