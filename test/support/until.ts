/** Checks a condition again and again until it is true. Throws after a minute. */
export const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  const given = performance.now() + 60_000
  while (!(await isSo())) {
    if (performance.now() > given) throw new Error('The condition did not become true.')
    await Bun.sleep(20)
  }
}
