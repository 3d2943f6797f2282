import type { ImportItem } from '../item.ts'
import type { Members, RowFile } from '../rows/row.ts'
import type { SourceFile } from '../source/source.ts'
import type { Yaml, YamlEntry } from '../source/yaml.ts'
import type { OpenNode } from './open-checklist-rows.ts'

/** A checklist whose rows wait for their set. `id` is that of the set in the manifest. */
export type Waiting = { file: SourceFile; id: string; rows: YamlEntry[] }

type Document = { file: SourceFile; value: { [name: string]: Yaml } }

/** A product that has begun: its sets, how to read a row, the file that its rows are from, and the sets without a checklist so far. */
export type Product = {
  nodes: Map<string, OpenNode>
  read: (line: number, members: Members) => Iterable<ImportItem>
  file: RowFile
  unseen: Set<string>
}

/** What a run knows of a folder. Without a `product`, its rows wait for the two documents. */
export type Folder = { set?: Document; manifest?: Document; isBad?: true; product?: Product; waiting: Waiting[] }

/** The open checklists that a run has met. In the order of paths, rows come before `manifest.yaml` and `set.yaml`, so they wait. */
export const beginOpenChecklists = () => ({ folders: new Map<string, Folder>(), waiting: 0 })
