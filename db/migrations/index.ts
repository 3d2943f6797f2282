import baseline from './0001_baseline.sql' with { type: 'text' }
import duplicates from './0002_duplicates.sql' with { type: 'text' }
import curation from './0003_curation.sql' with { type: 'text' }
import search from './0004_search.sql' with { type: 'text' }
import imports from './0005_imports.sql' with { type: 'text' }
import merges from './0006_merges.sql' with { type: 'text' }
import identifiers from './0007_identifiers.sql' with { type: 'text' }
import searchWords from './0008_search_words.sql' with { type: 'text' }
import importSigns from './0009_import_signs.sql' with { type: 'text' }
import notedCards from './0010_noted_cards.sql' with { type: 'text' }
import foldedAnywhere from './0011_folded_anywhere.sql' with { type: 'text' }
import batchRows from './0012_batch_rows.sql' with { type: 'text' }
import rememberedSets from './0013_remembered_sets.sql' with { type: 'text' }
import kindsApart from './0014_kinds_apart.sql' with { type: 'text' }
import keyWindows from './0015_key_windows.sql' with { type: 'text' }
import hiddenParents from './0016_hidden_parents.sql' with { type: 'text' }
import setKindsApart from './0017_set_kinds_apart.sql' with { type: 'text' }
import rememberedNames from './0018_remembered_names.sql' with { type: 'text' }
import folding from './0019_folding.sql' with { type: 'text' }
import duplicateCards from './0020_duplicate_cards.sql' with { type: 'text' }
import cancelAt from './0021_cancel_at.sql' with { type: 'text' }
import jobDeaths from './0022_job_deaths.sql' with { type: 'text' }
import exactCodes from './0023_exact_codes.sql' with { type: 'text' }
import clearMissing from './0024_clear_missing.sql' with { type: 'text' }
import withdrawnRecords from './0025_withdrawn_records.sql' with { type: 'text' }
import imageTypes from './0026_image_types.sql' with { type: 'text' }
import titleWords from './0027_title_words.sql' with { type: 'text' }
import setSourceTypes from './0028_set_source_types.sql' with { type: 'text' }
import deletedRecords from './0029_deleted_records.sql' with { type: 'text' }
import parentYears from './0030_parent_years.sql' with { type: 'text' }
import importFiles from './0031_import_files.sql' with { type: 'text' }
import undashedNames from './0032_undashed_names.sql' with { type: 'text' }
import privateSigns from './0033_private_signs.sql' with { type: 'text' }
import webhooks from './0034_webhooks.sql' with { type: 'text' }
import keptAnswers from './0035_kept_answers.sql' with { type: 'text' }
import undashedAliases from './0036_undashed_aliases.sql' with { type: 'text' }
import undashedSets from './0037_undashed_sets.sql' with { type: 'text' }
import origins from './0038_origins.sql' with { type: 'text' }
import collectionCards from './0039_collection_cards.sql' with { type: 'text' }

export type Migration = { name: string; sql: string }

/** Every migration in order. New ones are only added: released ones never change. */
export const migrations: readonly Migration[] = [
  { name: '0001_baseline', sql: baseline },
  { name: '0002_duplicates', sql: duplicates },
  { name: '0003_curation', sql: curation },
  { name: '0004_search', sql: search },
  { name: '0005_imports', sql: imports },
  { name: '0006_merges', sql: merges },
  { name: '0007_identifiers', sql: identifiers },
  { name: '0008_search_words', sql: searchWords },
  { name: '0009_import_signs', sql: importSigns },
  { name: '0010_noted_cards', sql: notedCards },
  { name: '0011_folded_anywhere', sql: foldedAnywhere },
  { name: '0012_batch_rows', sql: batchRows },
  { name: '0013_remembered_sets', sql: rememberedSets },
  { name: '0014_kinds_apart', sql: kindsApart },
  { name: '0015_key_windows', sql: keyWindows },
  { name: '0016_hidden_parents', sql: hiddenParents },
  { name: '0017_set_kinds_apart', sql: setKindsApart },
  { name: '0018_remembered_names', sql: rememberedNames },
  { name: '0019_folding', sql: folding },
  { name: '0020_duplicate_cards', sql: duplicateCards },
  { name: '0021_cancel_at', sql: cancelAt },
  { name: '0022_job_deaths', sql: jobDeaths },
  { name: '0023_exact_codes', sql: exactCodes },
  { name: '0024_clear_missing', sql: clearMissing },
  { name: '0025_withdrawn_records', sql: withdrawnRecords },
  { name: '0026_image_types', sql: imageTypes },
  { name: '0027_title_words', sql: titleWords },
  { name: '0028_set_source_types', sql: setSourceTypes },
  { name: '0029_deleted_records', sql: deletedRecords },
  { name: '0030_parent_years', sql: parentYears },
  { name: '0031_import_files', sql: importFiles },
  { name: '0032_undashed_names', sql: undashedNames },
  { name: '0033_private_signs', sql: privateSigns },
  { name: '0034_webhooks', sql: webhooks },
  { name: '0035_kept_answers', sql: keptAnswers },
  { name: '0036_undashed_aliases', sql: undashedAliases },
  { name: '0037_undashed_sets', sql: undashedSets },
  { name: '0038_origins', sql: origins },
  { name: '0039_collection_cards', sql: collectionCards },
]

/** A migration's statements, which are separated by lines with just an arrow. */
export const statementsOf = ({ sql }: Migration): string[] =>
  sql
    .split(/^-->\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
