/** The steps of a workflow in the contract's order (interface.md, Set todo status and workflow steps). */
export const steps = [
  'discover_sources',
  'fetch',
  'parse',
  'populate',
  'validate',
  'cleanup',
  'publish',
  'audit',
] as const
export type Step = (typeof steps)[number]

/** The steps that depend on each other, in order. The others can be done at any time (decisions.md §6). */
export const pipeline: readonly Step[] = ['discover_sources', 'fetch', 'parse', 'populate', 'validate', 'publish']

export const todoStatuses = ['pending', 'in_progress', 'completed', 'skipped', 'review'] as const
export type TodoStatus = (typeof todoStatuses)[number]

type Standing = { step: Step; status: TodoStatus }

/** Whether a todo no longer blocks later steps. */
export const isDone = (status: TodoStatus) => status === 'completed' || status === 'skipped'

/** The earlier steps whose todos aren't done, in order. A step without a todo blocks nothing. */
export const openBefore = (step: Step, todos: readonly Standing[]): Step[] =>
  pipeline
    .slice(0, Math.max(0, pipeline.indexOf(step)))
    .filter((prior) => todos.some((todo) => todo.step === prior && !isDone(todo.status)))

/** The first pipeline step that is not done; null if all are. */
export const currentStep = (todos: readonly Standing[]): Step | null =>
  pipeline.find((step) => !todos.some((todo) => todo.step === step && isDone(todo.status))) ?? null
