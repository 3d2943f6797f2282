/** The pages of the console, and what each is for. */
export const places = [
  { path: '/operations/board', label: 'Board', about: 'What can be done now on the way of a set to publication.' },
  {
    path: '/operations/workflows',
    label: 'Workflows',
    about: 'Give many drafts their todos at once.',
  },
  {
    path: '/operations/imports',
    label: 'Imports',
    about: 'Checklists from files, and which of their rows were refused.',
  },
  {
    path: '/operations/duplicates',
    label: 'Duplicates',
    about: 'Records that may be one, and players who may be several people.',
  },
  { path: '/operations/merges', label: 'Merges', about: 'What was merged, by whom, and how it is undone.' },
  { path: '/operations/batches', label: 'Batches', about: 'Many cards at once.' },
  { path: '/operations/jobs', label: 'Jobs', about: 'The work behind the answers; what failed can be retried.' },
  { path: '/operations/invites', label: 'Invites', about: 'Who may sign up by a code, and how codes were used.' },
  { path: '/operations/clients', label: 'Clients', about: 'Programs of all accounts: approvals and agreed limits.' },
  { path: '/operations/audit-log', label: 'Audit log', about: 'What was done, by whom, and what was before it.' },
  { path: '/operations/usage', label: 'Usage', about: 'How much each customer used the service.' },
  { path: '/operations/readiness', label: 'Readiness', about: 'How much of the catalog is ready to be sold.' },
] as const
