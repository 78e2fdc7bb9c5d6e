/**
 * Derives the type of an application from its redirects. The library trusts the client and defaults to `web`, which
 * refuses an editor's custom scheme and a varying loopback port, but accepts plain http on any host.
 */
export const applicationType = (redirectUris: unknown): 'native' | 'web' =>
  Array.isArray(redirectUris) && redirectUris.some((uri) => !String(uri).startsWith('https:')) ? 'native' : 'web';
