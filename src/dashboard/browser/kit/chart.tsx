import { useEffect, useRef } from 'preact/hooks'
import { type ChartProps, drawChart, isNear } from './draw-chart.ts'
import { sayNumber } from './format.ts'

/**
 * A bar for each label (a day, a customer), with a limit as a line across. The numbers are also there as a table, unless another
 * table on the page has them (`hasTable`).
 */
export const Chart = ({
  title,
  across,
  unit,
  points,
  limit,
  top,
  isSlanted,
  hasTable,
}: ChartProps & { hasTable?: boolean }) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(
    () =>
      place.current ? drawChart(place.current, { title, across, unit, points, limit, top, isSlanted }) : undefined,
    [title, across, unit, points, limit, top, isSlanted],
  )
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <div ref={place} class={isSlanted ? 'plot slanted' : 'plot'} aria-hidden="true" />
      {limit && !isNear(limit, points) && (
        <p class="faint">
          {limit.label}: {sayNumber(limit.value)}, far above these bars.
        </p>
      )}
      {!hasTable && <Numbers title={title} across={across} unit={unit} points={points} limit={limit} />}
    </figure>
  )
}

const Numbers = ({ title, across, unit, points, limit }: ChartProps) => (
  <details>
    <summary>
      As a table<span class="unseen">: {title}</span>
    </summary>
    <table class="table compact">
      <caption class="unseen">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{across}</th>
          <th scope="col" class="number">
            {unit}
          </th>
        </tr>
      </thead>
      <tbody>
        {points.map(({ label, value }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td class="number">{sayNumber(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
    {limit && (
      <p>
        {limit.label}: {sayNumber(limit.value)} {unit.toLowerCase()}.
      </p>
    )}
  </details>
)
