/** How many statements are prepared: each connection keeps the plan of each of them. */
const most = 40

/**
 * Notices which statements are asked for again and again, by their text: planning one costs as much as running it, and what was
 * prepared stays. Only the first ones that are asked for twice are prepared, however many kinds of queries there come.
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
