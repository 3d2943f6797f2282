/** Checks a condition again and again until it is true. Throws after four minutes, which a busy machine may need. */
export const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  const given = performance.now() + 240_000
  while (!(await isSo())) {
    if (performance.now() > given) throw new Error('The condition did not become true.')
    await Bun.sleep(20)
  }
}
