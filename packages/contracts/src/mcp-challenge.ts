/** What OAuth tokens for `/mcp` can be good for: calling what costs, and looking at what there is. */
export const mcpScopes = ['mcp:tools', 'mcp:models'] as const;
export type McpScope = (typeof mcpScopes)[number];

/** Where RFC 9728 has the description of the resource `/mcp`: who issues tokens for it, and for what. */
export const mcpMetadataPath = '/.well-known/oauth-protected-resource/mcp';

export interface McpChallenge {
  /** How clients reach us, without a path. */
  publicUrl: string;
  /** Absent where no token was sent: RFC 6750 wants no error then. */
  error?: 'invalid_token' | 'insufficient_scope';
}

/** `WWW-Authenticate` of `/mcp`: where a client learns how to get a token. All scopes are named, so that it asks once. */
export function mcpChallenge({ publicUrl, error }: McpChallenge): string {
  const told = [
    'realm="switchyard"',
    ...(error ? [`error="${error}"`] : []),
    `scope="${mcpScopes.join(' ')}"`,
    `resource_metadata="${publicUrl}${mcpMetadataPath}"`,
  ];
  return `Bearer ${told.join(', ')}`;
}
