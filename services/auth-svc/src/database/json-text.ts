/** A value for a jsonb column, in the one form both drivers take. What is not mentioned stays unmentioned. */
export const jsonText = (value: unknown): string | null | undefined =>
  value === undefined || value === null ? value : JSON.stringify(value);
