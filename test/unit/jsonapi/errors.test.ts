import { expect, test } from 'bun:test'
import * as errors from '../../../src/jsonapi/errors.ts'

test('every refusal has the status and the code of the contract', () => {
  const { ApiError } = errors
  const refusals: [number, string, InstanceType<typeof ApiError>][] = [
    [400, 'BAD_REQUEST', errors.badRequest('x')],
    [400, 'INVALID_PARAMETER', errors.invalidParameter('page', 'x')],
    [401, 'UNAUTHENTICATED', errors.unauthenticated()],
    [402, 'SUBSCRIPTION_REQUIRED', errors.subscriptionRequired()],
    [403, 'INSUFFICIENT_SCOPE', errors.insufficientScope('write')],
    [403, 'FORBIDDEN_NOT_INTERACTIVE_SESSION', errors.notInteractiveSession()],
    [404, 'NOT_FOUND', errors.notFound()],
    [405, 'METHOD_NOT_ALLOWED', errors.methodNotAllowed(['GET', 'HEAD'])],
    [406, 'NOT_ACCEPTABLE', errors.notAcceptable()],
    [409, 'CONFLICT', errors.conflict('x')],
    [413, 'PAYLOAD_TOO_LARGE', errors.payloadTooLarge(10)],
    [415, 'UNSUPPORTED_MEDIA_TYPE', errors.unsupportedMediaType(['a/b'])],
    [422, 'VALIDATION-FAILED', errors.validationFailed([{ pointer: '/data/attributes/name', detail: 'x' }])],
    [429, 'TOO-MANY-REQUESTS', errors.tooManyRequests(7)],
    [500, 'INTERNAL_ERROR', errors.internalError()],
    [502, 'BILLING_UNAVAILABLE', errors.badGateway('x')],
    [503, 'SERVICE_UNAVAILABLE', errors.unavailable()],
  ]
  for (const [status, code, refusal] of refusals) {
    expect([code, refusal.status]).toEqual([code, status])
    for (const error of refusal.errors) {
      expect(error).toMatchObject({ status: String(status), code })
      expect(error.title).not.toBe('')
    }
  }
})

test('headers say what to do about it', () => {
  expect(errors.unauthenticated().headers['WWW-Authenticate']).toStartWith('Bearer')
  expect(errors.methodNotAllowed(['GET', 'HEAD']).headers.Allow).toBe('GET, HEAD')
  expect(errors.tooManyRequests(7).headers['Retry-After']).toBe('7')
})

test('several refusals become one, and none becomes none', () => {
  const merged = errors.mergeErrors([errors.invalidParameter('a', 'x'), errors.invalidParameter('b', 'y')])
  expect(merged?.errors.map(({ source }) => source?.parameter)).toEqual(['a', 'b'])
  expect(merged?.status).toBe(400)
  expect(errors.mergeErrors([])).toBeUndefined()
})
