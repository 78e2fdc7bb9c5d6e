/** Serialises a value for a jsonb column in a form both drivers accept; `undefined` stays `undefined`. */
export const jsonText = (value: unknown): string | null | undefined =>
  value === undefined || value === null ? value : JSON.stringify(value);
