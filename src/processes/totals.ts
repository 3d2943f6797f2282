import type { Family, Sample } from '../lib/exposition.ts'

/** The metrics of all processes as one. What ended processes have counted stays, so that no counter goes back. */
export const openTotals = <Process>() => {
  const latest = new Map<Process, Family[]>()
  let ended: Family[] = []
  return {
    note: (process: Process, families: Family[]) => void latest.set(process, families),
    end: (process: Process) => {
      ended = sumFamilies([ended, (latest.get(process) ?? []).filter(({ type }) => type !== 'gauge')])
      latest.delete(process)
    },
    sum: (own: Family[]) => sumFamilies([...latest.values(), ended, own]),
  }
}

/** Adds up the values of the same series, or takes the largest or smallest if a family says so. */
export const sumFamilies = (all: Family[][]): Family[] =>
  [...Map.groupBy(all.flat(), ({ name }) => name).values()].map(sumFamily)

const sumFamily = (families: Family[]): Family => {
  const [first] = families as [Family]
  const series = Map.groupBy(
    families.flatMap(({ samples }) => samples),
    seriesOf,
  )
  const samples = [...series.values()].map((some): Sample => {
    const [{ labels, suffix }] = some as [Sample]
    return { labels, suffix, value: joined(first.across)(...some.map(({ value }) => value)) }
  })
  return { ...first, samples }
}

const seriesOf = ({ labels, suffix }: Sample) => JSON.stringify([suffix, labels])

const joined = (across: Family['across']) => (across ? Math[across] : add)

const add = (...values: number[]) => values.reduce((sum, value) => sum + value, 0)
