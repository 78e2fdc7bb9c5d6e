const number = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const numberBeginning = /^-?\d*(?:\.\d*)?(?:[eE][+-]?\d*)?$/;
const literals = ['true', 'false', 'null'];
/** No number of people is longer. */
const longest = 64;

export const isJsonNumber = (text: string): boolean => number.test(text);

/** A number, `true`, `false` or `null`. */
export const isBareValue = (text: string): boolean => isJsonNumber(text) || literals.includes(text);

/** What may become one when more of it arrives. */
export const beginsBareValue = (text: string): boolean =>
  numberBeginning.test(text) || literals.some((literal) => literal.startsWith(text));

/** All digits of a number, which a parser would round: without an exponent, and without a fraction of zeros. */
export function plainNumber(text: string): string {
  if (!/[.eE]/.test(text)) return text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts.exec(text) ?? [];
  const point = whole.length + Number(exponent);
  if (whole === '' || text.length > longest || Math.abs(point) > longest) return text;
  const digits = `${'0'.repeat(Math.max(0, 1 - point))}${whole}${fraction}`.padEnd(point, '0');
  const at = Math.max(1, point);
  const rest = digits.slice(at).replace(/^0+$/, '');
  return `${sign}${digits.slice(0, at).replace(/^0+(?=\d)/, '')}${rest && `.${rest}`}`;
}
