/** The parts of the API a token can be for. */
export const parts = ['mcp', 'v1'] as const;

export type Part = (typeof parts)[number];

export const resourceOf = (publicUrl: string, part: Part): string => `${publicUrl}/${part}`;

/** Which part a resource indicator names, to the letter; `undefined` for everything that is not ours. */
export const partOf = (publicUrl: string, resource: unknown): Part | undefined =>
  parts.find((part) => resourceOf(publicUrl, part) === resource);
