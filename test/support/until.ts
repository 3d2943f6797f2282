/** Asks again and again until it is so; throws after a minute. */
export const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  const given = performance.now() + 60_000
  while (!(await isSo())) {
    if (performance.now() > given) throw new Error('It did not come to pass.')
    await Bun.sleep(20)
  }
}
