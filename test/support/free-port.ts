/** Below the ports that systems give to connections, so that none of those takes one while its server restarts. */
let next = 20_000 + Math.floor(Math.random() * 10_000)

/** A port that nobody listens at, and that is not given again in this process. */
export const freePort = (): number => {
  for (;;) {
    const port = next++
    try {
      Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true)
      return port
    } catch {}
  }
}
