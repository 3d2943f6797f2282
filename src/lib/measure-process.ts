import { counter, type Family, gauge } from './exposition.ts'

const startedAt = Math.round(performance.timeOrigin) / 1000

/** The memory, CPU time and start of this process. */
export const measureProcess = (): Family[] => {
  const { user, system } = process.cpuUsage()
  return [
    gauge('process_resident_memory_bytes', 'Memory of the process.', process.memoryUsage.rss()),
    counter('process_cpu_seconds_total', 'CPU time.', (user + system) / 1e6),
    { ...gauge('process_start_time_seconds', 'When the process started, in Unix seconds.', startedAt), across: 'min' },
  ]
}
