/** An expression that repeats a class up to the end would exhaust the stack on an image of some megabytes. */
const foreign = /[^A-Za-z0-9+/]/;
const foreignToUrls = /[^A-Za-z0-9+/_-]/;

export const isBase64 = (value: unknown): boolean => isWritten(value, foreign);
/** Also with the letters of base64url. */
export const isAnyBase64 = (value: unknown): boolean => isWritten(value, foreignToUrls);

function isWritten(value: unknown, unknownLetters: RegExp): boolean {
  if (typeof value !== 'string') return false;
  const padding = value.endsWith('==') ? 2 : Number(value.endsWith('='));
  const letters = value.slice(0, value.length - padding);
  return letters !== '' && !unknownLetters.test(letters);
}
