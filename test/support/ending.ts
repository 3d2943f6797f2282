const ends: (() => unknown)[] = []

/** Something that is to end before the services of a test file do: what was begun last ends first. */
export const endsFirst = (...some: (() => unknown)[]) => void ends.push(...some)

/** Ends all of it; the first service of a file that ends does so. */
export const endAll = async () => {
  for (let end = ends.pop(); end; end = ends.pop()) await end()
}
