import { hasCode } from '../../db/faults.ts'
import type { Log } from '../lib/log.ts'

/** Logs one line for a request: what was asked and how it ended. Never an address, a token or a body. */
export const logRequest = (
  log: Log,
  method: string,
  path: string,
  status: number,
  milliseconds: number,
  requestId: string,
  credentialId: string | null | undefined,
) =>
  log.info('request', {
    method: method.slice(0, 20),
    path: path.slice(0, 200),
    status,
    ms: Math.round(milliseconds * 10) / 10,
    request_id: requestId,
    credential: credentialId ?? undefined,
  })

/**
 * Logs one line for a fault of ours. The request's id connects it to the response, which reveals nothing about it. A timeout is
 * only a warning.
 */
export const logFault = (log: Log, error: unknown, requestId: string) => {
  const { message, stack, code, cause } = error as { message?: string; stack?: string; code?: string; cause?: unknown }
  const under = cause as { message?: string; code?: string } | undefined
  const fields = { request_id: requestId, code: code ?? under?.code, message: under?.message ?? message }
  if (hasCode(error, 'CLIENT_LEFT')) log.debug('client left', fields)
  else if (hasCode(error, '57014', 'NO_TURN')) log.warn('too slow', fields)
  else log.error('fault', { ...fields, stack })
}
