import { useEffect, useRef } from 'preact/hooks'
import UPlot from 'uplot'
import { sayNumber } from './format.ts'

export type Point = { label: string; value: number }

type ChartProps = { title: string; unit: string; points: Point[]; limit?: { label: string; value: number } }

const height = 220

/** Bars of a value for each label (a day, a month), with a limit as a line across; the same as a table for who wants numbers. */
export const Chart = ({ title, unit, points, limit }: ChartProps) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const draw = () => drawn(element, { title, unit, points, limit })
    let plot = draw()
    const redraw = () => {
      plot.destroy()
      plot = draw()
    }
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', redraw)
    return () => {
      scheme.removeEventListener('change', redraw)
      observer.disconnect()
      plot.destroy()
    }
  }, [title, unit, points, limit])
  return (
    <figure class="chart">
      <div ref={place} class="plot" aria-hidden="true" />
      <details>
        <summary>{title} as a table</summary>
        <table class="table">
          <caption class="unseen">{title}</caption>
          <tbody>
            {points.map(({ label, value }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td class="number">
                  {sayNumber(value)} {unit}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {limit && (
          <p>
            {limit.label}: {sayNumber(limit.value)} {unit}.
          </p>
        )}
      </details>
    </figure>
  )
}

const drawn = (element: HTMLElement, { unit, points, limit }: ChartProps) => {
  const style = getComputedStyle(element)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const axis = { stroke: colour('--faint'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } }
  const bars = UPlot.paths.bars?.({ size: [0.7, 40] })
  const across = points.map(() => limit?.value ?? null)
  return new UPlot(
    {
      width: element.clientWidth,
      height,
      legend: { show: true, live: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: [-0.6, points.length - 0.4] },
        y: { range: (_, __, most) => [0, Math.max(1, most) * 1.08] },
      },
      axes: [
        { ...axis, grid: { show: false }, values: (_, at) => at.map((one) => points[one]?.label ?? '') },
        { ...axis, size: 64, values: (_, at) => at.map((one) => (Number.isInteger(one) ? sayNumber(one) : '')) },
      ],
      series: [
        {},
        {
          label: unit,
          paths: bars,
          fill: colour('--accent'),
          stroke: colour('--accent'),
          width: 0,
          points: { show: false },
        },
        ...(limit
          ? [{ label: limit.label, stroke: colour('--bad'), width: 2, dash: [6, 4], points: { show: false } }]
          : []),
      ],
    },
    [points.map((_, at) => at), points.map(({ value }) => value), ...(limit ? [across] : [])],
    element,
  )
}
