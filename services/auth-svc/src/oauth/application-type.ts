/**
 * What kind of application its redirects make of a client. The library believes what it is told and takes silence for
 * `web`: then an editor's own scheme and a loopback port that varies are refused, and plain http on any host is not.
 */
export const applicationType = (redirectUris: unknown): 'native' | 'web' =>
  Array.isArray(redirectUris) && redirectUris.some((uri) => !String(uri).startsWith('https:')) ? 'native' : 'web';
