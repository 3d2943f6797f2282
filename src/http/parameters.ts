import { Type } from '@sinclair/typebox'
import { oneOf } from '../jsonapi/fields.ts'
import { sizes } from '../limits.ts'
import type { Parameter } from './route.ts'

/** The query parameter that picks the fields of a type. */
export const fieldsParameter = (type: string, names: string[], example?: string[]): Record<string, Parameter> => ({
  [`fields[${type}]`]: {
    schema: Type.Array(oneOf(names)),
    description: `The fields of ${type} to show, separated by commas or repeated; defaults to all.`,
    example,
  },
})

/** The query parameters of a numbered page, in both forms. */
export const pageParameters = (
  things: string,
  most: number = sizes.page.most,
  usual: number = sizes.page.usual,
): Record<string, Parameter> => {
  const [number, size] = [{ minimum: 1 }, { minimum: 1, maximum: most }]
  return {
    page: { schema: Type.Integer({ ...number, default: 1 }), description: 'The page, from 1.', example: 1 },
    per_page: {
      schema: Type.Integer({ ...size, default: usual }),
      description: `How many ${things} a page holds.`,
      example: usual,
    },
    // A second name has no default and no example, because forms that fill those in would send both names.
    'page[number]': {
      schema: Type.Integer(number),
      description: `${sameAs('page')} The page’s links then use this form.`,
    },
    'page[size]': {
      schema: Type.Integer(size),
      description: `${sameAs('per_page')} Use only one of the two forms in a request.`,
    },
  }
}

/** The old name of `per_page`. */
export const limitParameter: Record<string, Parameter> = {
  limit: {
    schema: Type.Integer({ minimum: 1, maximum: sizes.page.most }),
    description: 'Deprecated. Use `per_page` instead, and don’t send both.',
    deprecated: true,
  },
}

/** What clients of a hosted service send with every page. */
export const pageNameParameter: Record<string, Parameter> = {
  pageName: { schema: Type.Literal('page'), description: 'Deprecated. It does nothing.', deprecated: true },
}

/** The description of a parameter's second name. The two can't be combined. */
export const sameAs = (first: string) => `The same as \`${first}\`. Don’t send both.`
