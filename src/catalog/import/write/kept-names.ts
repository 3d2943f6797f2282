import type { Transaction } from '../../../../db/client.ts'
import { readSubjects } from '../../write/card/read.ts'
import type { Entry } from '../../write/record.ts'
import type { FieldOutcome, KeptField } from './curated-fields.ts'
import { readReferenceNames } from './reference-names.ts'

/** Replaces ids in kept fields of cards or sets with names, for the report. */
export const nameKept = async (db: Pick<Transaction, 'sql'>, type: 'cards' | 'sets', all: FieldOutcome[]) => {
  const words = all.filter(({ kept }) => kept.length > 0)
  if (words.length === 0) return
  const fields = words.flatMap(({ kept }) =>
    kept.flatMap(({ field, kept, said }) => [{ [field]: kept }, { [field]: said }]),
  )
  const shown = await readReferenceNames(db, type, fields)
  for (const word of words)
    word.kept = word.kept.map((one) => ({
      ...one,
      kept: shown(one.field, one.kept),
      said: shown(one.field, one.said),
    }))
  if (type === 'cards') await nameSubjects(db, words)
}

/** Replaces the ids of entries and codes with names. */
const nameSubjects = async (db: Pick<Transaction, 'sql'>, words: FieldOutcome[]) => {
  const listed = words.flatMap(({ kept }) => kept).filter(({ field }) => field === 'oncard' || field === 'attributes')
  if (listed.length === 0) return
  const of = <T>(name: string) =>
    listed.flatMap(({ field, kept, said }) => (field === name ? ([kept, said] as T[][]).flat() : []))
  const subjects = await readSubjects(db, of<Entry>('oncard'), of<string>('attributes'))
  const teams = [...subjects.values()].flatMap(({ type, teamId }) =>
    type === 'playerteams' && teamId ? [{ type: 'teams' as const, id: teamId }] : [],
  )
  const teamNames = await readSubjects(db, teams, [])
  const nameOf = (id: string) => {
    const { name = id, type, teamId } = subjects.get(id) ?? {}
    const team = type === 'playerteams' && teamId ? teamNames.get(teamId)?.name : undefined
    return team ? `${name} (${team})` : name
  }
  const shown = (value: unknown) =>
    (value as (Entry | string)[]).map((one) => nameOf(typeof one === 'string' ? one : one.id))
  const named = new Set(listed)
  for (const word of words)
    word.kept = word.kept.map(
      (one): KeptField => (named.has(one) ? { ...one, kept: shown(one.kept), said: shown(one.said) } : one),
    )
}
