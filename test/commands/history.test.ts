import { describe, expect, test } from 'bun:test'
import type { Shown } from '../support/answer.ts'
import { testApp } from '../support/app.ts'
import { aDocument, factories } from '../support/factories.ts'
import { runningCommands } from './running.ts'

const app = await testApp()
const make = factories(app)
const run = runningCommands(app.context)

const change = (team: Shown, attributes: object) =>
  app.operator.patch(`/v2/teams/${team.id}`, aDocument('teams', { ...attributes }, {}, team.id))
const nameOf = async ({ id }: Shown) => (await app.operator.get(`/v2/teams/${id}`)).one.attributes.name

describe('history and revert', () => {
  test('a rename by the command is found, and put back', async () => {
    const team = await make.team({ name: 'Montréal Expos' })
    await run('rename', 'teams', team.id, 'Montreal "Expos"')
    const { exit, out, err } = await run('history', 'teams', team.id)
    expect([exit, err]).toEqual([0, '1 revision\n'])
    const [, revision = ''] =
      /^(\d+) {2}\S+Z {2}command {2}command-line\n {2}name: "Montréal Expos" -> "Montreal \\"Expos\\""\n$/.exec(out) ??
      []
    const reverted = await run('revert', 'teams', team.id, revision)
    expect([reverted.exit, reverted.out]).toEqual([
      0,
      expect.stringMatching(/^Reverted by revision \d+:\n {2}name: "Montreal \\"Expos\\"" -> "Montréal Expos"\n$/),
    ])
    expect(await nameOf(team)).toBe('Montréal Expos')
    const both = await run('history', 'teams', team.id)
    expect((await run('history', 'teams', team.id, '--json')).json.revisions).toHaveLength(2)
    expect(both.out.match(/ {2}(revert|command) {2}command-line\n/g)).toHaveLength(2)
  })

  test('an import of new cards leaves none, nor does the same again; what it changes is told', async () => {
    const rows = (notes: string) =>
      `set,year,number,player,team,notes\n1989 Upper Deck,1989,1,Ken Griffey Jr,Mariners,${notes}\n1989 Upper Deck,1989,2,Gary Sheffield,Brewers,`
    const read = (text: string) => runningCommands(app.context, text)('import', '-', '--json')
    const count = async () => {
      const [row] = await app.db.sql<{ n: number }[]>`select count(*)::int as n from revisions`
      return row?.n
    }
    const before = await count()
    expect((await read(rows('A rookie'))).json.cards).toMatchObject({ created: 2 })
    expect((await read(rows('A rookie'))).json.cards).toMatchObject({ unchanged: 2 })
    expect(await count()).toBe(before as number)
    expect((await read(rows('His rookie'))).json.cards).toMatchObject({ updated: 1, unchanged: 1 })
    expect(await count()).toBe(Number(before) + 1)
    const [newest] = await app.db.sql`select cause, cause_id, agent_id from revisions order by id desc limit 1`
    expect({ ...newest }).toEqual({ cause: 'import', cause_id: expect.any(String), agent_id: 'command-line' })
  })

  test('prints more revisions than it reads at once', async () => {
    const team = await make.team()
    for (let n = 0; n < 120; n++) await change(team, { abbreviation: `N${n}` })
    const { out, err } = await run('history', 'teams', team.id)
    expect(err).toBe('120 revisions\n')
    expect([...out.matchAll(/abbreviation: \S+ -> "N(\d+)"/g)].map(([, n]) => Number(n))).toEqual(
      Array.from({ length: 120 }, (_, n) => 119 - n),
    )
  })

  test('no terminal obeys what stands in a field', async () => {
    const brand = await make.brand()
    const description = 'a\u0085b\n\u001b[31m'
    await app.operator.patch(`/v2/brands/${brand.id}`, aDocument('brands', { description }, {}, brand.id))
    const { out } = await run('history', 'brands', brand.id)
    expect(out).not.toMatch(/(?!\n)\p{Cc}/u)
  })

  test('say what they do not take, and why it cannot be', async () => {
    const team = await make.team()
    const unknown = crypto.randomUUID()
    for (const words of [['teams'], ['team', team.id], ['teams', 'x'], ['teams', team.id, '1']])
      expect([words, (await run('history', ...words)).exit]).toEqual([words, 2])
    for (const words of [
      ['teams', team.id],
      ['teams', team.id, 'x'],
      ['teams', team.id, '0'],
      ['users', team.id, '1'],
    ])
      expect([words, (await run('revert', ...words)).exit]).toEqual([words, 2])
    expect(await run('history', 'teams', unknown)).toMatchObject({ exit: 1, err: 'There is no such record.\n' })
    expect(await run('history', 'teams', team.id)).toMatchObject({ exit: 0, out: '', err: '0 revisions\n' })
    expect((await run('history', 'teams', team.id, '--json')).json).toEqual({ revisions: [] })
    expect(await run('revert', 'teams', team.id, '999999999')).toMatchObject({
      ...{ exit: 1, err: 'There is no such revision.\n' },
    })
    await change(team, { abbreviation: 'A' })
    const [, revision = ''] = /^(\d+)/.exec((await run('history', 'teams', team.id)).out) ?? []
    expect((await run('revert', 'teams', team.id, revision, '--json')).json).toMatchObject({
      ...{ object_type: 'teams', object_id: team.id, cause: 'revert', agent_id: 'command-line' },
      changes: { abbreviation: { before: 'A', after: null } },
    })
    expect(await run('revert', 'teams', team.id, revision)).toMatchObject({
      ...{ exit: 1, err: 'The fields are already as they were before this revision.\n' },
    })
  })
})
