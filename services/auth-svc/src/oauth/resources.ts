/** The parts of the API that a token can be issued for. */
const parts = ['mcp', 'v1'] as const;

type TokenResource = (typeof parts)[number];

export const resourceOf = (publicUrl: string, part: TokenResource): string => `${publicUrl}/${part}`;

/**
 * The part that a resource indicator names; `undefined` for any other resource. A local machine has several names and
 * forwarded ports: if the gateway uses one of them, all of them match.
 */
export const partOf = (publicUrl: string, resource: unknown): TokenResource | undefined =>
  parts.find((part) => canonical(resource) === canonical(resourceOf(publicUrl, part)));

const canonical = (resource: unknown): unknown =>
  typeof resource === 'string' ? resource.replace(thisMachine, 'http://localhost/') : resource;

const thisMachine = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?\//;
