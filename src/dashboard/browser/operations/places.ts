/** The pages of the console, and what each is for. */
export const places = [
  { path: '/operations/board', label: 'Board', about: 'What to do next for each set, from sources to publication.' },
  {
    path: '/operations/workflows',
    label: 'Workflows',
    about: 'Start the todos of many drafts at once.',
  },
  {
    path: '/operations/imports',
    label: 'Imports',
    about: 'Import checklists, see what they change first, and undo them.',
  },
  {
    path: '/operations/duplicates',
    label: 'Duplicates',
    about: 'Records that may be the same, and players who may be several people.',
  },
  { path: '/operations/merges', label: 'Merges', about: 'What was merged and by whom, with a way to undo it.' },
  { path: '/operations/batches', label: 'Batches', about: 'Write many cards in one request.' },
  { path: '/operations/jobs', label: 'Jobs', about: 'Background work, and retries of what failed.' },
  { path: '/operations/invites', label: 'Invites', about: 'Codes that let people sign up, and how they were used.' },
  {
    path: '/operations/clients',
    label: 'Clients',
    about: 'Machine clients of all accounts: approvals and rate limits.',
  },
  { path: '/operations/audit-log', label: 'Audit log', about: 'Who changed what, and when.' },
  { path: '/operations/usage', label: 'Usage', about: 'Requests of each customer.' },
  { path: '/operations/readiness', label: 'Readiness', about: 'How much of the catalog is ready to sell.' },
] as const
