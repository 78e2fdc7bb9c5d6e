/** OAuth scopes of `/mcp`: calling tools, which costs money, and listing models. */
export const mcpScopes = ['mcp:tools', 'mcp:models'] as const;
export type McpScope = (typeof mcpScopes)[number];

/** Path of the RFC 9728 metadata of `/mcp`: the issuer of its tokens, and their scopes. */
const mcpMetadataPath = '/.well-known/oauth-protected-resource/mcp';

interface McpChallenge {
  /** The origin under which clients reach the gateway, without a path. */
  publicUrl: string;
  /** Absent when the request had no token: RFC 6750 asks for no error then. */
  error?: 'invalid_token' | 'insufficient_scope';
}

/**
 * `WWW-Authenticate` of `/mcp`: how a client gets a token. It names all scopes, so that the client has to ask only
 * once.
 */
export function mcpAuthenticateHeader({ publicUrl, error }: McpChallenge): string {
  const parameters = [
    'realm="tallyport"',
    ...(error ? [`error="${error}"`] : []),
    `scope="${mcpScopes.join(' ')}"`,
    `resource_metadata="${publicUrl}${mcpMetadataPath}"`,
  ];
  return `Bearer ${parameters.join(', ')}`;
}
