import type { ComponentType } from 'preact'
import type { PagePath } from './paths.ts'

/** What a part's script exports: a component for each of its paths. */
export type Views = Partial<Record<PagePath, ComponentType>>
