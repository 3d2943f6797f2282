import { Type } from '@sinclair/typebox'
import type { Route } from '../../http/route.ts'
import { integer, nullable } from '../../jsonapi/fields.ts'
import { readSlots } from './slots.ts'

/** How many founding slots are left. Open to everyone. */
export const slotRoutes: Route[] = [
  {
    method: 'GET',
    path: '/v1/founding-slots/remaining',
    operationId: 'getFoundingSlots',
    summary: 'Count the founding slots left',
    description:
      'Capacity minus the signed-up accounts that are trialing or active. Both are null when there is no pool.',
    tag: 'Sign-up',
    access: 'public',
    flat: true,
    answers: {
      200: {
        description: 'The capacity, and the slots left.',
        schema: Type.Object(
          { remaining: nullable(integer(0)), capacity: nullable(integer(0)) },
          { $id: 'FoundingSlots' },
        ),
        example: { remaining: 3, capacity: 5 },
      },
    },
    handle: async ({ db, config }) => ({
      status: 200,
      body: await readSlots(db, config.foundingSlots),
    }),
  },
]
