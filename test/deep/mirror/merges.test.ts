import { expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'
import { merging } from '../../support/merges.ts'
import { allOf, follow, reachable, secretOf, untilCurrent } from '../../support/mirrored.ts'

const [source, mirror] = [await testApp(), await testApp()]
const make = factories(source)
const { merge, undo } = merging(source)
const there = reachable(source)
const set = await make.set({ status: 'published' })
const people = async () => {
  const [from, into, team] = [await make.player(), await make.player(), await make.team()]
  const pairs = [await make.playerTeam({ player: from, team }), await make.playerTeam({ player: into, team })] as const
  for (const one of [from, into, ...pairs]) await make.card({ set, oncard: [one] })
  return { from, into, pairs }
}
const placeAt = async (path: string) => {
  const { status, headers } = await mirror.reader.get(path)
  return [status, headers.get('location')?.split('/').at(-1)]
}
const isAsSource = async () => {
  await untilCurrent(source, mirror)
  expect(await allOf(mirror.reader)).toEqual(await allOf(source.reader))
  expect([...(await mirror.db.sql`select type, id, waits_for from mirror_waiting`)]).toEqual([])
  expect(mirror.lines.filter(({ event }) => event === 'mirror_failed')).toEqual([])
}

test('a mirror knows merged ids from the bulk files, follows later merges, and that one was undone', async () => {
  const [early, late] = [await people(), await people()]
  const first = await merge([early.from], early.into)
  await there.makeFiles()
  await follow(mirror, there.url, secretOf(source.headers.reader))
  await isAsSource()
  expect(await placeAt(`/v2/players/${early.from.id}`)).toEqual([301, early.into.id])
  expect(await placeAt(`/v2/player-teams/${early.pairs[1].id}`)).toEqual([301, early.pairs[0].id])
  await merge([late.from], late.into)
  await merge([late.into], early.into)
  await isAsSource()
  expect(await placeAt(`/v2/players/${late.from.id}`)).toEqual([301, early.into.id])
  const third = await people()
  const undone = await merge([third.from], third.into)
  await isAsSource()
  expect((await undo(undone)).status).toBe(204)
  await isAsSource()
  expect(await placeAt(`/v2/players/${third.from.id}`)).toEqual([200, undefined])
  expect((await undo(first)).status).toBe(409)
})
