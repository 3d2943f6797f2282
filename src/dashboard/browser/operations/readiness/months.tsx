import { useMemo } from 'preact/hooks'
import { Chart } from '../../kit/chart.tsx'
import { sayNumber } from '../../kit/format.ts'
import { Section } from '../../kit/page.tsx'
import { Table } from '../../kit/table.tsx'

/** The net number of sets and cards published in a month. */
export type Month = { month: string; published_sets: number; published_cards: number }

/** The last months as charts, oldest first, and as a table, newest first. */
export const Months = ({ months }: { months: Month[] }) => {
  const [sets, cards] = useMemo(
    () =>
      (['published_sets', 'published_cards'] as const).map((name) =>
        months.map((one) => ({ label: sayMonth(one.month), value: one[name] })).reverse(),
      ),
    [months],
  )
  return (
    <Section title="Published by month">
      <div class="charts">
        <Chart title="Sets published" across="Month (UTC)" unit="Sets" points={sets ?? []} hasTable />
        <Chart title="Cards published" across="Month (UTC)" unit="Cards" points={cards ?? []} hasTable />
      </div>
      <Table
        caption="Published by month"
        rows={months}
        keyOf={({ month }) => month}
        isCompact
        columns={[
          { title: 'Month', cell: ({ month }) => sayMonth(month), isWhole: true },
          { title: 'Sets', cell: ({ published_sets }) => sayNumber(published_sets), isNumber: true },
          { title: 'Cards', cell: ({ published_cards }) => sayNumber(published_cards), isNumber: true },
        ]}
      />
    </Section>
  )
}

const month = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' })
const sayMonth = (text: string) => month.format(new Date(`${text}-01`))
