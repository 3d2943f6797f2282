/** What the tests use of simple-oauth2, which has no types. */
declare module 'simple-oauth2' {
  export type Issued = {
    token: { access_token: string; token_type: string; scope: string; expires_at: Date }
    expired: () => boolean
    revoke: (type: 'access_token') => Promise<void>
  }

  export class ClientCredentials {
    constructor(config: {
      client: { id: string; secret: string }
      auth: { tokenHost: string; tokenPath: string; revokePath: string }
      options?: { authorizationMethod: 'header' | 'body' }
    })
    getToken(params: { scope?: string | string[] }): Promise<Issued>
  }
}
