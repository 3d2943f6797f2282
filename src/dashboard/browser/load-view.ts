import type { ComponentType } from 'preact'
import { Broken } from './broken.tsx'
import { NotFound } from './not-found.tsx'
import { type PagePath, type Part, pagePaths, type Views } from './paths.ts'

const load: Record<Part, () => Promise<{ views: Views }>> = {
  catalog: () => import('./catalog.tsx'),
  extras: () => import('./extras.tsx'),
  collection: () => import('./collection.tsx'),
  account: () => import('./account.tsx'),
  operations: () => import('./operations.tsx'),
}

const loadedAgain = 'loaded-again'

/** A page's component, loaded with its part's script. If the script doesn't load, a page that says so. */
export const loadView = async (path: PagePath): Promise<ComponentType> => {
  try {
    const { views } = await load[pagePaths[path]]()
    sessionStorage.removeItem(loadedAgain)
    return views[path] ?? NotFound
  } catch (error) {
    if (sessionStorage.getItem(loadedAgain) || !(await isServed())) {
      reportError(error)
      return Broken
    }
    sessionStorage.setItem(loadedAgain, 'yes')
    location.reload()
    return new Promise(() => {})
  }
}

/** Whether the service answers. If it does, old scripts are gone after an update, and one reload fixes that. */
const isServed = () =>
  fetch(location.href, { method: 'HEAD' }).then(
    ({ status }) => status < 500,
    () => false,
  )
