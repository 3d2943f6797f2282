/** What names a record. */
export interface Reference<T extends string = string> {
  type: T
  id: string
}
