import { Type } from '@sinclair/typebox'
import { oneOf } from '../jsonapi/fields.ts'
import type { Parameter } from './route.ts'

/** The query parameter that thins the attributes of a type. */
export const fieldsParameter = (type: string, names: string[], example?: string[]): Record<string, Parameter> => ({
  [`fields[${type}]`]: {
    schema: Type.Array(oneOf(names)),
    description: `The fields of ${type} to show, separated by commas or given again; all where it is left out.`,
    example,
  },
})

/** The query parameters of a numbered page of things, in both forms. */
export const pageParameters = (things: string, most = 100, usual = 25): Record<string, Parameter> => {
  const number = Type.Integer({ minimum: 1, default: 1 })
  const size = Type.Integer({ minimum: 1, maximum: most, default: usual })
  return {
    page: { schema: number, description: 'The page, from 1.', example: 1 },
    per_page: { schema: size, description: `How many ${things} a page holds.`, example: usual },
    'page[number]': { schema: number, description: `${sameAs('page')} The links of the page then have this form.` },
    'page[size]': { schema: size, description: `${sameAs('per_page')} A request takes one of the two forms.` },
  }
}

/** What the document says of a second name: the two never stand together. */
export const sameAs = (first: string) => `The same as \`${first}\`, never beside it.`
