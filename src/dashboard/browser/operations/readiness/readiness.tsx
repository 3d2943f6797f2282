import { useAnswer } from '../../kit/answer.ts'
import { sayMoment } from '../../kit/moments.ts'
import { Show } from '../../kit/notice.tsx'
import { at } from '../../kit/settings.ts'
import { queryOf, useFilters } from '../address.ts'
import { Filters } from '../filters.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { type Month, Months } from './months.tsx'
import { measures, noGenre, type Season, Seasons } from './seasons.tsx'

type Report = { generated_at: string; seasons: Season[]; months: Month[] }

const usual = { years: '5', months: '12', genre: '', measure: 'published_sets' }
const path = '/internal/analytics/sales-readiness'

/** How much of the catalog is ready to sell, by genre and season, and what each month added. */
export const Readiness = () => {
  const { filters, change } = useFilters('/operations/readiness', usual)
  const { years, months, genre, measure } = filters
  const asked = queryOf({ years, months })
  const read = useAnswer<Report>(`${path}?${asked}`)
  const genres = new Map(read.value?.seasons.map((one) => [one.genre_id ?? noGenre, one.genre ?? 'No genre']))
  return (
    <OperatorPage title="Readiness">
      <Filters
        filters={filters}
        change={change}
        choices={{
          years: {
            label: 'Seasons of the last',
            options: counted('year', ['1', '2', '3', '5', '10', '25', '100'], years),
          },
          months: { label: 'Published in the last', options: counted('month', ['3', '6', '12', '24', '36'], months) },
          genre: {
            label: 'Genre',
            none: 'All genres',
            options: [...genres].map(([value, label]) => ({ value, label })),
          },
          measure: { label: 'Chart', options: measures.map(({ name, label }) => ({ value: name, label })) },
        }}
      />
      <Show of={read} lines={16}>
        {({ generated_at, seasons, months }) => (
          <>
            <Seasons
              seasons={seasons.filter((one) => !genre || (one.genre_id ?? noGenre) === genre)}
              measure={measures.find(({ name }) => name === measure) ?? measures[0]}
            />
            <Months months={months} />
            <p class="faint">
              As of {sayMoment(generated_at)}. Also available as{' '}
              <a href={at(`${path}?${asked}&format=table`)} target="_top">
                plain text
              </a>{' '}
              and{' '}
              <a href={at(`${path}?${asked}`)} target="_top">
                JSON
              </a>
              .
            </p>
          </>
        )}
      </Show>
    </OperatorPage>
  )
}

/** Options such as `5 years`, including the number in the URL. */
const counted = (noun: string, usual: string[], asked: string) =>
  [...new Set([...usual, asked])].map((value) => ({ value, label: `${value} ${value === '1' ? noun : `${noun}s`}` }))
