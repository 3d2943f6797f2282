import { Type } from '@sinclair/typebox'
import type { Parameter } from '../../http/route.ts'
import { type Fault, invalidParameter, mergeErrors, validationFailed } from '../../jsonapi/errors.ts'
import { fieldFaults } from '../../jsonapi/field-faults.ts'
import { oneOf, uuid } from '../../jsonapi/fields.ts'
import { isBroken } from '../../jsonapi/parameter.ts'
import { refuseUnknown } from '../../jsonapi/query.ts'
import { type Step, steps, type TodoStatus, todoStatuses } from '../../lib/workflow-steps.ts'

export const priorities = ['current', 'backlog', 'all'] as const

/** Which sets to find: the step to do, its status, and the sets' priority, genre and year. */
export type ActionableFilter = {
  step: Step
  status: TodoStatus
  priority: (typeof priorities)[number]
  genreId?: string
  year?: string
}

/** The parameters of the list of actionable sets, and of their count. */
export const actionableParameters: Record<string, Parameter> = {
  step: { schema: oneOf([...steps]), description: 'The step to do.', required: true, example: 'fetch' },
  status: {
    schema: Type.Unsafe<string>({ ...oneOf([...todoStatuses]), default: 'pending' }),
    description: 'The status of the todo. `review` finds sets that need a human.',
    example: 'pending',
  },
  limit: {
    schema: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
    description: 'How many sets to list. The count accepts and ignores it.',
    example: 25,
  },
  priority: {
    schema: Type.Unsafe<string>({ ...oneOf([...priorities]), default: 'all' }),
    description: '`current` if the set’s year names this or the last calendar year, otherwise `backlog`.',
    example: 'current',
  },
  genre_id: { schema: uuid(), description: 'The id of a genre.', example: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d33' },
  year: { schema: Type.String(), description: 'The exact name of a year.', example: '2025-26' },
}

/** Reads the query. Throws 400 for parameters that are unknown or not text, or else 422 with one error per invalid parameter. */
export const readActionable = (search: URLSearchParams): { filter: ActionableFilter; limit: number } => {
  refuseUnknown(search, Object.keys(actionableParameters))
  const given = Object.fromEntries(search)
  refuseBroken(given)
  const faults = faultsOf(given)
  if (faults.length > 0) throw validationFailed(faults)
  const { step, status = 'pending', priority = 'all', genre_id: genreId, year, limit = '25' } = given
  return { filter: { step, status, priority, genreId, year } as ActionableFilter, limit: Number(limit) }
}

const refuseBroken = (given: Record<string, string>) => {
  const broken = Object.entries(given).filter(([, value]) => isBroken(value))
  const error = mergeErrors(broken.map(([name]) => invalidParameter(name, 'The value is not valid text.')))
  if (error) throw error
}

const faultsOf = (given: Record<string, string>): Fault[] => {
  const left = given.step === undefined ? [{ parameter: 'step', detail: 'Is required.' }] : []
  const wrong = Object.entries(given).flatMap(([parameter, value]) => {
    if (parameter === 'limit')
      return /^([1-9]\d?|100)$/.test(value) ? [] : [{ parameter, detail: 'Must be an integer from 1 to 100.' }]
    const schema = actionableParameters[parameter]?.schema
    return schema ? fieldFaults(schema, value).map((detail) => ({ parameter, detail })) : []
  })
  return [...left, ...wrong]
}
