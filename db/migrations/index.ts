import catalog from './0001_catalog.sql' with { type: 'text' }
import accounts from './0002_accounts.sql' with { type: 'text' }
import truth from './0003_truth.sql' with { type: 'text' }
import looseImages from './0004_loose_images.sql' with { type: 'text' }
import jobs from './0005_jobs.sql' with { type: 'text' }
import signup from './0006_accounts_signup.sql' with { type: 'text' }
import billing from './0007_billing.sql' with { type: 'text' }
import oauth from './0008_oauth.sql' with { type: 'text' }
import feed from './0009_feed.sql' with { type: 'text' }
import reports from './0010_reports.sql' with { type: 'text' }
import workflow from './0011_workflow.sql' with { type: 'text' }
import imports from './0012_imports.sql' with { type: 'text' }
import catalogLists from './0013_catalog_lists.sql' with { type: 'text' }
import audit from './0014_audit.sql' with { type: 'text' }
import cardBatches from './0015_card_batches.sql' with { type: 'text' }
import jobsByName from './0016_jobs_by_name.sql' with { type: 'text' }
import bulkFiles from './0017_bulk_files.sql' with { type: 'text' }
import importAgents from './0018_import_agents.sql' with { type: 'text' }
import mirror from './0019_mirror.sql' with { type: 'text' }
import talliesOfValues from './0020_tallies_of_values.sql' with { type: 'text' }
import search from './0021_search.sql' with { type: 'text' }
import yieldedPairs from './0022_yielded_pairs.sql' with { type: 'text' }
import mirrorFault from './0023_mirror_fault.sql' with { type: 'text' }
import addresses from './0024_addresses.sql' with { type: 'text' }
import sessions from './0025_sessions.sql' with { type: 'text' }
import clientGenerations from './0026_client_generations.sql' with { type: 'text' }

export type Migration = { name: string; sql: string }

/** Every migration in order. They are only ever added to: what was applied somewhere is never changed. */
export const migrations: readonly Migration[] = [
  { name: '0001_catalog', sql: catalog },
  { name: '0002_accounts', sql: accounts },
  { name: '0003_truth', sql: truth },
  { name: '0004_loose_images', sql: looseImages },
  { name: '0005_jobs', sql: jobs },
  { name: '0006_accounts_signup', sql: signup },
  { name: '0007_billing', sql: billing },
  { name: '0008_oauth', sql: oauth },
  { name: '0009_feed', sql: feed },
  { name: '0010_reports', sql: reports },
  { name: '0011_workflow', sql: workflow },
  { name: '0012_imports', sql: imports },
  { name: '0013_catalog_lists', sql: catalogLists },
  { name: '0014_audit', sql: audit },
  { name: '0015_card_batches', sql: cardBatches },
  { name: '0016_jobs_by_name', sql: jobsByName },
  { name: '0017_bulk_files', sql: bulkFiles },
  { name: '0018_import_agents', sql: importAgents },
  { name: '0019_mirror', sql: mirror },
  { name: '0020_tallies_of_values', sql: talliesOfValues },
  { name: '0021_search', sql: search },
  { name: '0022_yielded_pairs', sql: yieldedPairs },
  { name: '0023_mirror_fault', sql: mirrorFault },
  { name: '0025_sessions', sql: sessions },
  { name: '0024_addresses', sql: addresses },
  { name: '0026_client_generations', sql: clientGenerations },
]

/** A migration's statements: a line that holds only an arrow stands between two of them. */
export const statementsOf = ({ sql }: Migration): string[] =>
  sql
    .split(/^-->\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
