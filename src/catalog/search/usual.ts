/** The most statements that are prepared. Each connection keeps a plan for each of them. */
const most = 40

/**
 * Notices by their text which statements come again, and so are worth preparing: planning one costs as much as running it. Prepared
 * statements stay, so only the first ones that come twice are prepared.
 */
export const noticeUsual = () => {
  const once = new Set<number | bigint>()
  const usual = new Set<number | bigint>()
  return (text: string): boolean => {
    const key = Bun.hash(text)
    if (usual.has(key)) return true
    if (usual.size >= most) return false
    if (once.delete(key)) usual.add(key)
    else once.add(key)
    if (once.size > 50 * most) once.clear()
    return usual.has(key)
  }
}
