/** What the tests use of devour-client, which has no types. */
declare module 'devour-client' {
  type Answer = {
    // biome-ignore lint/suspicious/noExplicitAny: the client builds objects of any shape
    data: any
    meta: { page: { total: number } }
  }

  export default class Devour {
    constructor(options: { apiUrl: string; pluralize: boolean; logger: boolean })
    headers: Record<string, string>
    define(type: string, model: Record<string, unknown>): void
    findAll(type: string, query: Record<string, unknown>): Promise<Answer>
    create(type: string, record: Record<string, unknown>): Promise<Answer>
    update(type: string, record: Record<string, unknown>): Promise<Answer>
    destroy(type: string, id: string): Promise<unknown>
  }
}
