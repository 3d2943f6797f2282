import { expect, test } from 'bun:test'
import { asApiError } from '../../../src/http/respond.ts'

const refusalOf = (error: object) => {
  const { status, errors, headers } = asApiError(error)
  return [status, errors[0]?.code, headers['Retry-After'] !== undefined]
}

test('a full disk is 503 STORAGE_FULL, whoever says so', () => {
  for (const code of ['ENOSPC', 'EDQUOT', '53100'])
    for (const error of [{ code }, { cause: { code } }, { cause: { cause: { code } } }])
      expect(refusalOf(error)).toEqual([503, 'STORAGE_FULL', true])
})

test('no free file descriptors are 503 UNAVAILABLE', () => {
  for (const code of ['EMFILE', 'ENFILE', '53000']) expect(refusalOf({ code })).toEqual([503, 'UNAVAILABLE', true])
})

test('a database without memory or connections is a 503, too', () => {
  for (const code of ['53200', '53300', '53400'])
    expect(refusalOf({ code })).toEqual([503, 'SERVICE_UNAVAILABLE', true])
})
