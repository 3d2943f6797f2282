import type { Context } from '../../src/context.ts'
import { jobs } from '../../src/worker.ts'
import { workOff } from './work-off.ts'

/** Works the queue until nothing is due, one job after the other, and returns what ran. */
export const runJobs = (context: Context) => workOff(context, jobs)
