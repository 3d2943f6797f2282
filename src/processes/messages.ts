import type { Family } from '../lib/exposition.ts'

/** Why a process ends: a signal, a new process in its place, or the end of the supervisor. */
export type Stop = 'SIGTERM' | 'SIGINT' | 'replaced' | 'orphaned'

/** What the supervisor says to a process. `place` and `others` are those of `sendElsewhere`. */
export type ToProcess =
  | { kind: 'stop'; signal: 'SIGTERM' | 'SIGINT' }
  | { kind: 'replaced'; place: number; others: number }
  | { kind: 'share' }
  | { kind: 'measure' }
  | { kind: 'total'; id: number; families: Family[] }

/** What a process says to the supervisor. `total` asks for the metrics of all processes. */
export type ToSupervisor =
  | { kind: 'listening' }
  | { kind: 'measured'; families: Family[] }
  | { kind: 'total'; id: number }

/** The variable that tells a process its number. */
export const numberVariable = 'CARDSTOCK_PROCESS'

/** The variable that is there if others serve when a process starts. */
export const othersVariable = 'CARDSTOCK_OTHERS_SERVE'
