import { expect, test } from 'bun:test'
import { jobNames } from '../../../src/dashboard/browser/operations/jobs/job-names.ts'
import { jobs } from '../../../src/worker.ts'

test('the console can ask for each kind of job that there is', () => {
  expect(jobNames.toSorted()).toEqual(jobs.map(({ name }) => name).toSorted())
})
