import { Type } from '@sinclair/typebox'
import { oneOf } from '../jsonapi/fields.ts'
import type { Parameter } from './route.ts'

/** The query parameter that thins the attributes of a type. */
export const fieldsParameter = (type: string, names: string[], example?: string[]): Record<string, Parameter> => ({
  [`fields[${type}]`]: {
    schema: Type.Array(oneOf(names)),
    description: `The fields of ${type} to show, separated by commas; all where it is left out.`,
    example,
  },
})

/** The query parameters of a numbered page of things. */
export const pageParameters = (things: string, most = 100, usual = 25): Record<string, Parameter> => ({
  page: { schema: Type.Integer({ minimum: 1, default: 1 }), description: 'The page, from 1.', example: 1 },
  per_page: {
    schema: Type.Integer({ minimum: 1, maximum: most, default: usual }),
    description: `How many ${things} a page holds.`,
    example: usual,
  },
})
