import { expect, test } from 'bun:test'
import { eventMeanings, eventsOfOperators } from '../../../src/dashboard/browser/webhooks/place.ts'
import { eventNames, mayHear } from '../../../src/webhooks/source/events.ts'

test('the pages offer each event that there is, and to operators alone those that are theirs', () => {
  expect(Object.keys(eventMeanings)).toEqual(eventNames)
  expect(eventsOfOperators).toEqual(eventNames.filter((name) => !mayHear(name, { operator: false })))
})
