/** The shortest decimal notation of a number, without an exponent: prices are text. */
export function decimalText(value: number): string {
  const [digits = '', exponent] = String(value).split('e');
  if (exponent === undefined) return digits;
  const [whole = '', fraction = ''] = digits.split('.');
  const point = whole.length + Number(exponent);
  const all = whole + fraction;
  if (point <= 0) return `0.${'0'.repeat(-point)}${all}`;
  return all.padEnd(point, '0');
}
