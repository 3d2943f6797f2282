import { scopes } from '../access/caller.ts'

const clientAuthentication = ['client_secret_basic', 'client_secret_post']

/**
 * The service's metadata as an authorization server (RFC 8414). There is no authorization endpoint, so there are no response
 * types.
 */
export const readMetadata = (baseUrl: string) => ({
  issuer: baseUrl,
  token_endpoint: `${baseUrl}/oauth/token`,
  token_endpoint_auth_methods_supported: clientAuthentication,
  revocation_endpoint: `${baseUrl}/oauth/revoke`,
  revocation_endpoint_auth_methods_supported: clientAuthentication,
  introspection_endpoint: `${baseUrl}/oauth/introspect`,
  introspection_endpoint_auth_methods_supported: clientAuthentication,
  grant_types_supported: ['client_credentials'],
  response_types_supported: [],
  scopes_supported: [...scopes],
  service_documentation: `${baseUrl}/docs`,
})
