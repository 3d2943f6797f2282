import { sweepAnswers } from './access/kept-answers.ts'
import { sweepUsage } from './access/usage.ts'
import { accountLifecycle } from './accounts/lifecycle/job.ts'
import { sweepAccounts } from './accounts/lifecycle/sweep.ts'
import { sendReset } from './accounts/password/reset.ts'
import { sendVerification } from './accounts/signup/verification.ts'
import { foldCounts } from './audit/fold.ts'
import { sweepEvents } from './billing/sweep.ts'
import { tellAddress } from './billing/tell-address.ts'
import { snapshotToday } from './catalog/api/stats.ts'
import { sweepLooseImages } from './catalog/images/orphan-files.ts'
import { imageStore } from './catalog/images/store.ts'
import { dropWithdrawn, makeBulkFiles } from './catalog/sync/bulk/make.ts'
import { startNumbering } from './catalog/sync/feed/number.ts'
import { sweepChanges } from './catalog/sync/feed/sweep.ts'
import type { Context } from './context.ts'
import { defineJob, type Runnable } from './jobs/define.ts'
import { enqueue } from './jobs/enqueue.ts'
import { startSchedule, type Task } from './jobs/schedule.ts'
import { sweepJobs } from './jobs/sweep.ts'
import { startWorking } from './jobs/work.ts'
import { sendMail } from './mail/mail.ts'
import { writeCardBatch } from './operations/batches/job.ts'
import { importChecklist, sweepImportFiles } from './operations/imports/job.ts'
import { initializeTodos } from './operations/workflow/job.ts'
import { sweepDeliveries } from './webhooks/deliveries/delivery.ts'
import { startDelivering } from './webhooks/deliveries/work.ts'
import { resealSecrets } from './webhooks/webhook.ts'

const snapshotStats = defineJob({
  name: 'stats_snapshot',
  run: ({ db, clock }: Context) => snapshotToday(db, clock),
})

const sweepImages = defineJob({
  name: 'image_sweep',
  run: ({ db, config }: Context, _, { now }) => sweepLooseImages(db, imageStore(config), now),
})

/** Deletes usage that is too old for any report. */
export const pruneUsage = defineJob({
  name: 'usage_sweep',
  run: ({ db }: Context, _, { now, signal }) => sweepUsage(db, now, signal),
})

/** Deletes kept answers that no repetition gets any more. */
export const pruneAnswers = defineJob({
  name: 'kept_answer_sweep',
  run: ({ db }: Context, _, { now, signal }) => sweepAnswers(db, now, signal),
})

const sweepFeed = defineJob({
  name: 'changes_sweep',
  run: ({ db }: Context, _, { now, signal }) => sweepChanges(db, now, signal),
})

const foldAudit = defineJob({
  name: 'audit_count_fold',
  run: ({ db }: Context, _, { now, signal }) => foldCounts(db, now, signal),
})

const exportBulk = defineJob({
  name: 'bulk_export',
  run: (context: Context, _, { signal }) => makeBulkFiles(context, { signal }),
})

/** Has new bulk files made if records in the newest ones were unpublished or deleted, once for each generation. */
const withdrawBulk = defineJob({
  name: 'bulk_withdrawal',
  run: async (context: Context, _, { now }) => {
    const generation = await dropWithdrawn(context)
    if (generation) await enqueue(context.db, exportBulk, {}, { now, key: `bulk files after ${generation}` })
  },
})

const sweepWebhooks = defineJob({
  name: 'webhook_sweep',
  run: async (context: Context, _, { now }) => {
    await sweepDeliveries(context.db, now)
    await resealSecrets(context)
  },
})

/** Every job of the service. A job missing here would stay in the queue. */
export const jobs: Runnable<Context>[] = [
  sendMail,
  sendVerification,
  sendReset,
  accountLifecycle,
  sweepAccounts,
  snapshotStats,
  sweepImages,
  pruneUsage,
  pruneAnswers,
  sweepFeed,
  exportBulk,
  withdrawBulk,
  tellAddress,
  sweepEvents,
  writeCardBatch,
  importChecklist,
  sweepImportFiles,
  initializeTodos,
  foldAudit,
  sweepWebhooks,
  sweepJobs,
]

/** The schedule (cron patterns, UTC). Each tick runs once across all replicas. */
export const schedule: Task[] = [
  { pattern: '58 * * * *', job: snapshotStats },
  { pattern: '17 3 * * *', job: sweepImages },
  { pattern: '23 3 * * *', job: pruneUsage },
  { pattern: '37 * * * *', job: pruneAnswers },
  { pattern: '26 3 * * *', job: sweepFeed },
  { pattern: '41 3 * * *', job: exportBulk },
  { pattern: '*/2 * * * *', job: withdrawBulk },
  { pattern: '29 3 * * *', job: sweepEvents },
  { pattern: '33 3 * * *', job: foldAudit },
  { pattern: '7 * * * *', job: sweepJobs },
  { pattern: '37 * * * *', job: sweepWebhooks },
  { pattern: '12 * * * *', job: sweepImportFiles },
  { pattern: '30 5 * * *', job: accountLifecycle },
  { pattern: '40 5 * * *', job: sweepAccounts },
]

/**
 * Works the queue, runs the schedule, numbers changes, and sends to webhooks. Returns a function that stops all of it: running jobs get this long
 * to finish, and the rest are requeued.
 */
export const startWorker = (context: Context): ((deadlineMilliseconds?: number) => Promise<void>) => {
  const working = startWorking(context, jobs, { slots: slotsOf(context) })
  const stopSchedule = startSchedule(context, schedule)
  const stopNumbering = startNumbering(context)
  const delivering = startDelivering(context)
  return async (deadlineMilliseconds) => {
    await Promise.all([
      stopSchedule(),
      working.stop(deadlineMilliseconds),
      delivering.stop(deadlineMilliseconds),
      stopNumbering(),
    ])
  }
}

/** Leaves half of the connections to requests. */
const slotsOf = ({ config }: Context) => Math.max(1, Math.min(8, Math.floor(config.databasePool / 2)))
