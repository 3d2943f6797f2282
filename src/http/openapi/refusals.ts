import { readOnlyMirror } from '../../access/mirror.ts'
import {
  type ApiError,
  badGateway,
  badRequest,
  conflict,
  forbidden,
  insufficientScope,
  internalError,
  invalidParameter,
  notAcceptable,
  notFound,
  notInteractiveSession,
  payloadTooLarge,
  preconditionFailed,
  reauthenticationRequired,
  subscriptionRequired,
  tokenExpired,
  tooManyRequests,
  unauthenticated,
  unavailable,
  unsupportedMediaType,
  validationFailed,
} from '../../jsonapi/errors.ts'
import { idempotencyKeyInUse, idempotencyKeyInvalid, idempotencyKeyReused } from '../../jsonapi/idempotency.ts'
import { jsonApi } from '../../jsonapi/negotiate.ts'
import { outcomeUnknown, outOfDescriptors, storageFull, timedOut, tooManyPolls } from '../../jsonapi/overload.ts'
import type { HeaderName } from './headers.ts'

/** A refusal in the document: its name among the responses, what it means, and real examples by name. */
export type Refusal = {
  name: string
  description: string
  examples: Record<string, ApiError>
  headers?: HeaderName[]
}

/** Every status that a refusal can have. The examples are errors that the service really throws. */
export const refusals: Record<number, Refusal> = {
  400: {
    name: 'BadRequest',
    description: 'The query or the body can’t be read. Each unknown or invalid parameter gets its own error.',
    examples: {
      parameter: invalidParameter('per_page', 'Must be an integer from 1 to 100.'),
      document: badRequest('The resource object must have a type.', { pointer: '/data' }),
      key: idempotencyKeyInvalid(),
    },
  },
  401: {
    name: 'Unauthenticated',
    description: 'There is no credential, or it is unknown, expired or revoked.',
    examples: { credential: unauthenticated() },
    headers: ['WWW-Authenticate'],
  },
  402: {
    name: 'SubscriptionRequired',
    description: 'The subscription is neither active nor trialing. The credential stays valid.',
    examples: { subscription: subscriptionRequired() },
  },
  403: {
    name: 'Forbidden',
    description: 'The credential is valid, but not allowed to do this.',
    examples: {
      scope: insufficientScope('write'),
      session: notInteractiveSession(),
      mirror: readOnlyMirror(),
      reauthentication: reauthenticationRequired(),
      other: forbidden('The service generates the ids of sets. Leave out data.id.', { pointer: '/data/id' }),
    },
    headers: ['WWW-Authenticate'],
  },
  404: {
    name: 'NotFound',
    description: 'There is no such resource, or it is hidden from the caller.',
    examples: { resource: notFound() },
  },
  406: {
    name: 'NotAcceptable',
    description: 'The `Accept` header allows none of this response’s media types.',
    examples: { accept: notAcceptable('The response is application/vnd.api+json, with no parameter except profile.') },
  },
  409: {
    name: 'Conflict',
    description:
      'The request conflicts with the current state, its `type` or `id` does not match the URL, or its `Idempotency-Key` is in use.',
    examples: { taken: conflict('The card id is already taken.', { pointer: '/data/id' }), key: idempotencyKeyInUse() },
    headers: ['Retry-After'],
  },
  410: {
    name: 'Gone',
    description: 'It existed, but is gone.',
    examples: {
      token: tokenExpired(),
    },
  },
  412: {
    name: 'PreconditionFailed',
    description: 'The record has changed since the version that `If-Match` names.',
    examples: {
      changed: preconditionFailed(),
    },
  },
  413: {
    name: 'PayloadTooLarge',
    description: 'The body is too large.',
    examples: { size: payloadTooLarge(16_777_216) },
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body has a media type that this endpoint does not accept, or a `Content-Encoding`.',
    examples: { mediaType: unsupportedMediaType([jsonApi]) },
  },
  422: {
    name: 'ValidationFailed',
    description:
      'The body is readable but invalid: there is one error per field and rule, with its pointer. Or its `Idempotency-Key` came with another request.',
    examples: {
      fields: validationFailed([
        { pointer: '/data/attributes/name', detail: 'Is required.' },
        { pointer: '/data/relationships/set/data/id', detail: 'There is no such set.' },
      ]),
      key: idempotencyKeyReused(),
    },
  },
  429: {
    name: 'TooManyRequests',
    description: 'The rate limit is used up, or too many requests are waiting for changes.',
    examples: { limit: tooManyRequests(30), polls: tooManyPolls() },
    headers: ['Retry-After'],
  },
  500: {
    name: 'InternalError',
    description: 'Something went wrong on our side. The request id identifies it in the log.',
    examples: { fault: internalError() },
  },
  502: {
    name: 'BadGateway',
    description: 'The payment processor doesn’t answer, or isn’t configured.',
    examples: { billing: badGateway('Billing is not configured on this service.') },
  },
  503: {
    name: 'ServiceUnavailable',
    description:
      'Something that the request depends on is down or full, the request takes too long, or nobody knows whether it was done.',
    examples: {
      ...{ database: unavailable(), timeout: timedOut(), outcome: outcomeUnknown() },
      ...{ storage: storageFull(), descriptors: outOfDescriptors() },
    },
    headers: ['Retry-After'],
  },
}
