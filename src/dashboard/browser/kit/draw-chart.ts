import UPlot from 'uplot'
import { sayNumber } from './format.ts'

type Point = { label: string; value: number }

export type ChartProps = {
  title: string
  /** Axis labels: what each bar is for, and what it counts. */
  across: string
  unit: string
  points: Point[]
  /** A line across the bars. */
  limit?: { label: string; value: number }
  /** The axis goes at least this far, such as 100 for percentages. */
  top?: number
  /** Whether the labels are too long to fit side by side. */
  isSlanted?: boolean
}

/** Whether a limit is close enough to the bars to draw it with them. A distant one would flatten them. */
export const isNear = (limit: NonNullable<ChartProps['limit']>, points: Point[]) =>
  Math.max(0, ...points.map(({ value }) => value)) * 20 >= limit.value

/** A bar's minimum height, as a fraction of the chart's, so that one request is visible next to a thousand. */
const leastHeight = 0.012

/** Draws a chart into an element, and again when its width or the colors change. Returns a function that stops it. */
export const drawChart = (element: HTMLElement, chart: ChartProps) => {
  let plot = plotOf(element, chart)
  const redraw = () => {
    plot.destroy()
    plot = plotOf(element, chart)
  }
  const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: plot.height }))
  observer.observe(element)
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  scheme.addEventListener('change', redraw)
  return () => {
    scheme.removeEventListener('change', redraw)
    observer.disconnect()
    plot.destroy()
  }
}

const plotOf = (element: HTMLElement, { across, unit, points, limit: given, top = 1, isSlanted }: ChartProps) => {
  const limit = given && isNear(given, points) ? given : undefined
  const highest = Math.max(top, limit?.value ?? 0, ...points.map(({ value }) => value))
  const style = getComputedStyle(element)
  const color = (name: string) => style.getPropertyValue(name).trim()
  const axis = {
    stroke: color('--faint'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
    labelSize: 22,
    labelFont: '12px system-ui, sans-serif',
  }
  return new UPlot(
    {
      width: element.clientWidth,
      height: isSlanted ? 320 : 250,
      legend: { show: limit !== undefined, live: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: [-0.6, points.length - 0.4] },
        y: { range: (_, least, most) => [Math.min(0, least * 1.08), Math.max(top, most) * 1.08] },
      },
      axes: [
        {
          ...axis,
          label: across,
          grid: { show: false },
          incrs: [1, 2, 5, 10, 20, 50, 100],
          values: (_, at) => at.map((one) => shortened(points[one]?.label ?? '')),
          size: 30,
          space: 16 + 7 * Math.max(0, ...points.map(({ label }) => label.length)),
          ...(isSlanted && { rotate: 50, space: 16, size: 110 }),
        },
        {
          ...axis,
          label: unit,
          // A slanted label starts to the left of its bar.
          size: (_, values) => Math.max(isSlanted ? 56 : 30, ...(values ?? []).map(({ length }) => 16 + 7 * length)),
          values: (_, at) => at.map((one) => (Number.isInteger(one) ? sayNumber(one) : '')),
        },
      ],
      series: [
        {},
        {
          label: unit,
          paths: UPlot.paths.bars?.({ size: [0.7, 40] }),
          fill: color('--accent'),
          stroke: color('--accent'),
          width: 0,
          points: { show: false },
        },
        ...(limit
          ? [{ label: limit.label, stroke: color('--bad'), width: 2, dash: [6, 4], points: { show: false } }]
          : []),
      ],
    },
    [
      points.map((_, at) => at),
      points.map(({ value }) => (value > 0 ? Math.max(value, highest * leastHeight) : value)),
      ...(limit ? [points.map(() => limit.value)] : []),
    ],
    element,
  )
}

const shortened = (label: string) => (label.length > 18 ? `${label.slice(0, 17)}…` : label)
