/** The parts of the API a token can be for. */
const parts = ['mcp', 'v1'] as const;

type TokenResource = (typeof parts)[number];

export const resourceOf = (publicUrl: string, part: TokenResource): string => `${publicUrl}/${part}`;

/** Which part a resource indicator names, to the letter; `undefined` for everything that is not ours. */
export const partOf = (publicUrl: string, resource: unknown): TokenResource | undefined =>
  parts.find((part) => resourceOf(publicUrl, part) === resource);
