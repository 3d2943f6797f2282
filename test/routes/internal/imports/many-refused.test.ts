import { expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { runJobs } from '../../../support/jobs.ts'
import { inShortTurns } from '../../../support/turn-watch.ts'

const app = await testApp()

test('100,000 refused rows are read, stored and reported in short turns', async () => {
  const sent = await app.operator.send('POST', '/internal/imports', {
    ...{
      body: `set,year,number,player\n${'S,1990-2,1,Ann Lee\n'.repeat(100_000)}`,
      headers: { 'Content-Type': 'text/csv' },
    },
  })
  const { job_id: id } = JSON.parse(sent.text)
  await inShortTurns(() => runJobs(app.context))
  const report = await inShortTurns(() => app.operator.get(`/internal/imports/${id}`))
  expect(JSON.parse(report.text)).toMatchObject({ status: 'completed', counts: { bad_rows: 100_000 } })
}, 120_000)
