/** Decimal texts without an exponent, as exact numbers: `0.25`, `3`. */
interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

export const product = (...factors: readonly (number | string)[]): string =>
  written(
    factors.map(read).reduce((one, other) => ({
      digits: one.digits * other.digits,
      places: one.places + other.places,
    })),
  );

export function sum(...amounts: readonly string[]): string {
  const all = amounts.map(read);
  const places = Math.max(0, ...all.map((each) => each.places));
  const digits = all.reduce((total, each) => total + each.digits * 10n ** BigInt(places - each.places), 0n);
  return written({ digits, places });
}

function read(value: number | string): Decimal {
  const [whole = '', fraction = ''] = String(value).split('.');
  return { digits: BigInt(whole + fraction), places: fraction.length };
}

function written({ digits, places }: Decimal): string {
  const text = digits.toString().padStart(places + 1, '0');
  const whole = text.slice(0, text.length - places);
  const fraction = text.slice(text.length - places).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
