/** The pages of the console, and what each is for. */
export const places = [
  { path: '/operations/board', label: 'Board', about: 'What can be done now on the way of a set to publication.' },
  {
    path: '/operations/imports',
    label: 'Imports',
    about: 'Checklists from files, and which of their rows were refused.',
  },
  { path: '/operations/batches', label: 'Batches', about: 'Many cards, or the workflows of many sets, at once.' },
  { path: '/operations/jobs', label: 'Jobs', about: 'The work behind the answers; what failed can be retried.' },
  { path: '/operations/audit', label: 'Audit log', about: 'What was done, when and by whom.' },
  { path: '/operations/invites', label: 'Invites', about: 'Codes with which people sign up.' },
  { path: '/operations/clients', label: 'Clients', about: 'Machine clients that want the scope internal.' },
  { path: '/operations/usage', label: 'Usage', about: 'How much each customer uses the service.' },
  { path: '/operations/readiness', label: 'Readiness', about: 'How much of the catalog is ready to be sold.' },
] as const
