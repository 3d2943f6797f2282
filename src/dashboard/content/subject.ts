import { findSetsOf, readByYear, readRookies, yearsOf } from '../../catalog/list/grouped/by-year.ts'
import { counted } from '../../lib/counted.ts'
import type { Content, SubjectContent } from '../browser/catalog/content.ts'
import type { One, Resource } from '../browser/kit/documents.ts'
import { metaOf } from '../browser/kit/page-meta.ts'
import { type Ask, pageNumber } from './ask.ts'
import { showCards } from './cards.ts'
import { listQuery } from './sets.ts'

const perPage = 100
const mostRookies = 24

type Subject = Resource<{
  name: string
  position?: string | null
  location?: string | null
  abbreviation?: string | null
}>

/** A player or a team and their cards: rookie cards first, then year by year. */
export const subjectContent =
  (type: 'players' | 'teams') =>
  async (ask: Ask): Promise<Content<SubjectContent>> => {
    const { db } = ask.context
    const subject = { kind: type === 'players' ? 'player' : 'team', id: ask.id() } as const
    const page = pageNumber(ask.query.page)
    const from = (page - 1) * perPage
    const [{ data }, { sets, total }] = await Promise.all([
      ask.read<One<Subject>>(`/v1/${type}/${subject.id}`),
      findSetsOf(db.heavy, subject, ask.level),
    ])
    const [rookieRows, years] = await Promise.all([
      page === 1 ? readRookies(db.heavy, subject, ask.level, mostRookies) : [],
      readByYear(db, subject, sets, { from, size: perPage, level: ask.level }),
    ])
    const [rookies, rows] = await Promise.all([
      showCards(ask, rookieRows, { withSets: true }),
      showCards(
        ask,
        years.flatMap((one) => one.rows),
        { withSets: true },
      ),
    ])
    const { name, position, location, abbreviation } = data.attributes
    const listed = sets.reduce((sum, { cards }) => sum + cards, 0)
    const shownAbove = new Set(rookies.map(({ id }) => id))
    let before = 0
    const groups = years.map((one) => {
      before += one.rows.length
      const own = rows.slice(before - one.rows.length, before)
      const listed = own.filter(({ id }) => !shownAbove.has(id))
      return { year: one.year, rows: listed, above: own.length - listed.length }
    })
    return {
      head: {
        title: `${name}: trading cards`,
        description: `${counted(total, 'trading card')} of ${name}, year by year, rookie cards first.`,
        path: `/${type}/${subject.id}${listQuery({ page: page > 1 ? String(page) : '' })}`,
        image: [...rookies, ...rows].find(({ picture }) => picture)?.picture?.url,
      },
      value: {
        subject: {
          id: subject.id,
          type,
          name,
          lede: [position, location, abbreviation].filter(Boolean).join(' · ') || null,
        },
        total,
        listed,
        rookies,
        groups,
        years: yearPages(yearsOf(sets)),
        meta: metaOf(page, perPage, rows.length, listed),
      },
    }
  }

/** Each year with the page it starts on. */
const yearPages = (years: { year: string | null; cards: number }[]) => {
  let before = 0
  return years.map(({ year, cards }) => {
    const page = Math.floor(before / perPage) + 1
    before += cards
    return { year, cards, page }
  })
}
