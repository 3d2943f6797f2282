import { type TSchema, Type } from '@sinclair/typebox'
import { jsonApiVersion } from './schema.ts'

/** The document of a refusal, whatever its status. */
export const errorDocument = (): TSchema =>
  Type.Object(
    {
      jsonapi: jsonApiVersion(),
      errors: Type.Array(errorObject(), { minItems: 1 }),
      meta: Type.Object({
        request_id: Type.String({ description: 'The `X-Request-ID` of the response.' }),
        ...further(),
      }),
    },
    { $id: 'ErrorDocument' },
  )

/** One error of such a document. */
export const errorObject = () =>
  Type.Object(
    {
      status: Type.String({ description: 'The status code, as a string.' }),
      code: Type.String({ description: 'A code for programs.' }),
      title: Type.String({ description: 'A short summary of the error.' }),
      detail: Type.Optional(Type.String({ description: 'What is wrong with this request.' })),
      source: Type.Optional(
        Type.Object({
          pointer: Type.Optional(Type.String({ description: 'A JSON Pointer (RFC 6901) into the body.' })),
          parameter: Type.Optional(Type.String({ description: 'The query parameter.' })),
          header: Type.Optional(Type.String({ description: 'The request header.' })),
        }),
      ),
      links: Type.Optional(
        Type.Object({
          type: Type.Optional(Type.String({ description: 'The type of error, from the cursor pagination profile.' })),
          about: Type.Optional(Type.String({ format: 'uri', description: 'Where to continue.' })),
        }),
      ),
      meta: Type.Optional(
        Type.Object({
          page: Type.Optional(Type.Object({ maxSize: Type.Integer({ description: 'The largest page size.' }) })),
          ...further(),
        }),
      ),
    },
    { $id: 'ErrorObject' },
  )

/** Further members of an error's or its document's meta. */
const further = () => ({
  suggestion: Type.Optional(Type.String({ description: 'The search query as it was probably meant.' })),
  merged_into: Type.Optional(
    Type.Object(
      { type: Type.String(), id: Type.String({ format: 'uuid' }) },
      { description: 'The record that the requested one was merged into.' },
    ),
  ),
})
