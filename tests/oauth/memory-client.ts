/** Keeps the state of an MCP client during sign-in. Both generations of the SDK use the same interface. */
export function memoryClient(redirectUrl: string, metadata: Record<string, unknown> = {}) {
  const kept: { client?: unknown; tokens?: unknown; verifier?: string; url?: URL; discovery?: unknown } = {};
  return {
    kept,
    redirectUrl,
    clientMetadata: { client_name: 'Test editor', redirect_uris: [redirectUrl], ...metadata },
    clientInformation: () => kept.client as never,
    saveClientInformation: (client: unknown) => void (kept.client = client),
    tokens: () => kept.tokens as never,
    saveTokens: (tokens: unknown) => void (kept.tokens = tokens),
    redirectToAuthorization: (url: URL) => void (kept.url = url),
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
    saveDiscoveryState: (state: unknown) => void (kept.discovery = state),
    discoveryState: () => kept.discovery as never,
  };
}
