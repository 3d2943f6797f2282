/** The console's pages, and what each is for. */
export const places = [
  {
    path: '/operations/board',
    label: 'Board',
    about: 'See what to do next for each set, from sources to publication.',
  },
  {
    path: '/operations/workflows',
    label: 'Workflows',
    about: 'Start the workflow for many drafts.',
  },
  {
    path: '/operations/imports',
    label: 'Imports',
    about: 'Import checklists, preview what they change, and undo them.',
  },
  {
    path: '/operations/duplicates',
    label: 'Duplicates',
    about: 'Find records that may be the same, and players who may be several people.',
  },
  { path: '/operations/merges', label: 'Merges', about: 'See what was merged and by whom, and undo it.' },
  {
    path: '/operations/deleted',
    label: 'Deleted',
    about: 'Find deleted cards, sets, players and teams, and restore them.',
  },
  { path: '/operations/batches', label: 'Batches', about: 'Write many cards in one request.' },
  { path: '/operations/jobs', label: 'Jobs', about: 'Follow background work, and retry what failed.' },
  { path: '/operations/people', label: 'People', about: 'See who has an account, and who is an operator.' },
  {
    path: '/operations/invites',
    label: 'Invites',
    about: 'Create codes that let people sign up, and see how they were used.',
  },
  {
    path: '/operations/clients',
    label: 'Clients',
    about: 'Approve machine clients of all accounts, and set rate limits.',
  },
  {
    path: '/operations/webhooks',
    label: 'Webhooks',
    about: 'Tell other services of changes, imports and merges.',
  },
  { path: '/operations/audit-log', label: 'Audit log', about: 'See who changed what, and when.' },
  { path: '/operations/usage', label: 'Usage', about: 'See each customer’s requests.' },
  { path: '/operations/readiness', label: 'Readiness', about: 'See how much of the catalog is ready to sell.' },
] as const
