import { useMemo } from 'preact/hooks'
import { Chart } from '../../kit/chart.tsx'
import { sayNumber } from '../../kit/format.ts'
import { Empty } from '../../kit/notice.tsx'
import { Section } from '../../kit/page.tsx'
import { at } from '../../kit/settings.ts'
import { Table } from '../../kit/table.tsx'
import { queryOf } from '../address.ts'

/** How far the sets of a genre and season have come, as the API shows it. */
export type Season = {
  genre: string | null
  genre_id: string | null
  year: string
  year_id: string
  sets: number
  published_sets: number
  cards: number
  cards_with_image: number
  sets_with_sources: number
  workflows_complete: number
}

/** Used as the genre's id for seasons without a genre. */
export const noGenre = 'none'

/** What is counted in a season, and the total it is a share of. */
export const measures = [
  { name: 'published_sets', whole: 'sets', label: 'Published sets' },
  { name: 'cards_with_image', whole: 'cards', label: 'Cards with an image' },
  { name: 'sets_with_sources', whole: 'sets', label: 'Sets with sources' },
  { name: 'workflows_complete', whole: 'sets', label: 'Workflows complete' },
] as const
type Measure = (typeof measures)[number]

/** How many bars fit. */
const most = 30

/** Seasons as a chart of one measure and a table of all. */
export const Seasons = ({ seasons, measure }: { seasons: Season[]; measure: Measure }) => {
  const points = useMemo(
    () => seasons.slice(0, most).map((one) => ({ label: sayNames(one), value: shareOf(one, measure) })),
    [seasons, measure],
  )
  if (seasons.length === 0) return <Empty>There are no sets in these seasons.</Empty>
  return (
    <Section title="Seasons">
      <Chart
        title={`${measure.label}, as a percentage of all ${measure.whole}${seasons.length > most ? ` (first ${most} seasons)` : ''}`}
        across="Genre and season"
        unit="Percent"
        points={points}
        top={100}
        isSlanted
        hasTable
      />
      <Table
        caption="Seasons"
        rows={seasons}
        keyOf={({ genre_id, year_id }) => `${genre_id} ${year_id}`}
        columns={[
          { title: 'Genre', cell: ({ genre }) => genre ?? 'No genre' },
          { title: 'Season', cell: (season) => <a href={boardOf(season)}>{season.year}</a> },
          { title: 'Sets', cell: ({ sets }) => sayNumber(sets), isNumber: true },
          { title: 'Cards', cell: ({ cards }) => sayNumber(cards), isNumber: true },
          ...measures.map((one) => ({
            title: one.label,
            cell: (season: Season) => <Part season={season} measure={one} />,
            isNumber: true,
          })),
        ]}
      />
    </Section>
  )
}

const Part = ({ season, measure }: { season: Season; measure: Measure }) => (
  <span>
    {sayNumber(season[measure.name])} <span class="faint">({shareOf(season, measure)}%)</span>
  </span>
)

const shareOf = (season: Season, { name, whole }: Measure) =>
  season[whole] > 0 ? Math.floor((season[name] / season[whole]) * 100) : 0

const sayNames = ({ genre, year }: Season) => [year, genre].filter(Boolean).join(' ')

/** The board for a season's sets. */
const boardOf = ({ genre_id, year }: Season) => at(`/operations/board?${queryOf({ genre_id: genre_id ?? '', year })}`)
