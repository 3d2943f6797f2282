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
] as const
