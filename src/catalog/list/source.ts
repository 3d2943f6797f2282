import type { Resource } from '../model/resource.ts'
import { visibleText } from '../show/rows.ts'
import { argumentType, conditionText, criteriaOf } from './conditions.ts'
import { conditionsOf, keyName } from './keyset.ts'
import { firstSort } from './order.ts'
import type { KeysetRequest, ListPlan, Source } from './page.ts'
import { type Arguments, allOf } from './statement.ts'
import { maintainedTotal } from './totals.ts'

/** How the list of a resource is read along the indexes of its own table: one filter in its first order, or any one sort key. */
export const plainPlan = (resource: Resource, request: KeysetRequest): ListPlan => ({
  isSteady: isServed(request) && (request.conditions.length === 0 || isFirstOrder(resource, request)),
  source: (args) => sourceOf(resource, request, args),
  total: (args) => maintainedTotal(resource, request.level, request.conditions, args),
})

/** Whether there is at most one filter, for a value or for none, and one sort key. */
export const isServed = ({ conditions, keys }: KeysetRequest) =>
  conditions.length <= 1 &&
  conditions.every(({ operator }) => operator === 'eq' || operator === 'null') &&
  new Set(keys.map(({ sort }) => sort)).size <= 2

/** Whether the list comes in its first order, forwards or backwards. */
export const isFirstOrder = (resource: Resource, { keys }: KeysetRequest) => keys[0]?.sort === firstSort(resource)

/**
 * The rows of a resource's own table in the order of the request. A filter by a list of values is read value by value,
 * so that each is a piece of an index in order.
 */
export const sourceOf = (resource: Resource, request: KeysetRequest, args: Arguments): Source => {
  const criteria = criteriaOf(resource)
  const criterionOf = (name: string) => criteria[name] as (typeof criteria)[string]
  const listed = request.conditions.find(({ operator, values }) => operator === 'eq' && values.length > 1)
  const others = request.conditions.filter((one) => one !== listed)
  const where = [
    visibleText(resource, request.level),
    ...others.map((condition) => conditionText(criterionOf(condition.name), condition, args)),
  ]
  const each = listed && eachValue(criterionOf(listed.name), listed.values, args)
  const matching = each ? [...where, each.condition] : where
  return {
    each: each?.table,
    select: (range, bound, order, limit) => `
      select ${request.keys.map(({ sql }, index) => `${sql} as ${keyName(index)}`).join(', ')}, t.id
      from ${resource.table} where ${allOf([...matching, ...bound, ...conditionsOf(range)])}
      order by ${order} limit ${limit}`,
    matches: `from ${each ? `${each.table} cross join ` : ''}${resource.table} where ${allOf(matching)}`,
  }
}

const eachValue = (criterion: ReturnType<typeof criteriaOf>[string], values: string[], args: Arguments) => {
  const table = `unnest(${args.add(values, `${argumentType(criterion)}[]`)}) v (value)`
  const conditions = [...(criterion.finds ? [criterion.finds('v.value')] : []), criterion.equals('v.value')]
  return { table, condition: allOf(conditions) }
}
