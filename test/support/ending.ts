const ends: (() => unknown)[] = []

/** Cleanup that must run before the services of a test file end. What was started last ends first. */
export const endsFirst = (...some: (() => unknown)[]) => void ends.push(...some)

/** Runs all of it. The first service of a file that ends does this. */
export const endAll = async () => {
  for (let end = ends.pop(); end; end = ends.pop()) await end()
}
