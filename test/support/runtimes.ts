/**
 * Where the package of the client runs: Bun, the Node of this machine, and another Node that NODE22 names, which `.ci/run` installs.
 * A line says which is missing.
 */
export const runtimes = (): string[] => {
  const [node, newer] = [Bun.which('node'), process.env.NODE22]
  if (!node) console.log('skipped: the client on Node (there is no node)')
  if (!newer) console.log('skipped: the client on Node 22 (set NODE22 to its program)')
  return [process.execPath, ...(node ? [node] : []), ...(newer ? [newer] : [])]
}
