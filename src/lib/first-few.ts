/** The first few of some values in an order. Of a great many values, this is much faster than sorting all. */
export const firstFew = <Value>(values: Value[], most: number, compare: (a: Value, b: Value) => number): Value[] => {
  const few: Value[] = []
  for (const value of values) {
    const last = few[most - 1]
    if (last !== undefined && compare(value, last) >= 0) continue
    few.splice(
      placeIn(few, (one) => compare(one, value) <= 0),
      0,
      value,
    )
    if (few.length > most) few.pop()
  }
  return few
}

/** How many values at the beginning of a sorted list come before a place. */
export const placeIn = <Value>(sorted: Value[], isBefore: (value: Value) => boolean): number => {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (isBefore(sorted[middle] as Value)) from = middle + 1
    else to = middle
  }
  return from
}
