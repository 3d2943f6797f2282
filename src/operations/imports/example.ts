import type { Static } from '@sinclair/typebox'
import { none, type state } from './document.ts'

const address = 'https://cards.example.org/internal/imports/0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e'

/** An import, as the OpenAPI document shows it. */
export const example: Static<typeof state> = {
  ...{ job_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e', status: 'completed', file: '1986-87-fleer.csv' },
  ...{
    publish: true,
    parallels: false,
    overwrite: false,
    prune: false,
    clear_missing: false,
    dry_run: false,
    applies: null,
    undoes: null,
  },
  ...{ progress: { bytes_read: 9120, bytes_total: 9120, percent: 100 } },
  counts: {
    ...{ files: 1, sets: { ...none, created: 2 }, cards: { ...none, created: 142, failed: 1 }, records: none },
    ...{ players: 131, teams: 23, player_teams: 133, labels: 5, parallels_left_out: 0, bad_rows: 1 },
    ...{ years: 1, kept: 1, missing: 0, pruned: 0, changes: 0, deleted: 0, put_back: 0, left: 0 },
  },
  bad_rows: [{ file: '1986-87-fleer.csv', line: 58, reason: 'the row names no set' }],
  kept: [
    {
      ...{ type: 'cards', id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2f', name: '57 Michael Jordan' },
      ...{ field: 'title', kept: 'Rookie', said: null, change: { attributes: { title: null } } },
    },
  ],
  ...{ missing: [], changes: [], left: [], notes: [], error: null },
  links: {
    bad_rows: `${address}/bad_rows`,
    kept: `${address}/kept`,
    missing: `${address}/missing`,
    changes: `${address}/changes`,
    left: `${address}/left`,
  },
  made: [
    {
      ...{ type: 'sets', id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d30', name: 'Stickers', context: '1986-87 Fleer' },
      url: 'https://cards.example.org/v2/sets/0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d30',
    },
  ],
  ...{ created_at: '2026-11-21T12:00:00.000Z', finished_at: '2026-11-21T12:00:01.000Z' },
}
