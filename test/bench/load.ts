/** What a load of requests did: requests a second, and answers that were not 200. */
export type Load = { perSecond: number; failed: number; p99Milliseconds: number }

/**
 * Asks for the URLs in their order, from a random one on, over keep-alive connections for some seconds, with `wrk` where it is installed, else from this process,
 * which costs the service some of its processor.
 */
export const load = async (
  urls: string[],
  headers: Record<string, string>,
  seconds: number,
  connections = 32,
): Promise<Load> =>
  Bun.which('wrk') ? loadByWrk(urls, headers, seconds, connections) : loadFromHere(urls, headers, seconds, connections)

const loadByWrk = async (
  urls: string[],
  headers: Record<string, string>,
  seconds: number,
  connections: number,
): Promise<Load> => {
  const script = `/tmp/cardstock-bench-${Bun.randomUUIDv7()}.lua`
  const { origin } = new URL(urls[0] as string)
  const paths = `${script}.paths`
  await Bun.write(paths, urls.map((url) => url.slice(origin.length)).join('\n'))
  await Bun.write(
    script,
    `local paths = {}
for path in io.lines("${paths}") do paths[#paths + 1] = path end
math.randomseed(os.time())
local at = math.random(#paths)
request = function() at = at % #paths + 1; return wrk.format("GET", paths[at]) end
done = function(summary, latency)
  local e = summary.errors
  print(string.format("FIGURES %f %d %f", summary.requests / summary.duration * 1e6, e.status + e.connect + e.read + e.timeout, latency:percentile(99) / 1000))
end`,
  )
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const output = await Bun.$`wrk -t1 -c${connections} -d${seconds}s -s ${script} ${flags} ${origin}`.text()
  for (const file of [script, paths]) await Bun.file(file).delete()
  const [, perSecond, failed, p99] = /FIGURES (\S+) (\d+) (\S+)/.exec(output) ?? []
  return { perSecond: Number(perSecond), failed: Number(failed), p99Milliseconds: Number(p99) }
}

const loadFromHere = async (
  urls: string[],
  headers: Record<string, string>,
  seconds: number,
  connections: number,
): Promise<Load> => {
  const until = performance.now() + seconds * 1000
  const times: number[] = []
  let failed = 0
  let at = Math.floor(Math.random() * urls.length)
  const worker = async () => {
    while (performance.now() < until) {
      const started = performance.now()
      const response = await fetch(urls[at++ % urls.length] as string, { headers })
      await response.arrayBuffer()
      times.push(performance.now() - started)
      if (response.status !== 200) failed++
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  const sorted = times.toSorted((a, b) => a - b)
  return { perSecond: times.length / seconds, failed, p99Milliseconds: sorted[Math.floor(sorted.length * 0.99)] ?? 0 }
}
