/** How values of one kind are written. */
export interface Unit {
  /** Short, with the unit, for the axis of a chart. */
  short(value: number): string;
  /** As exact as a person wants to know it. */
  exact(value: number): string;
  /** There is nothing between 1 and 2. */
  whole?: true;
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const precise = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });
const share = new Intl.NumberFormat('en-US', {
  maximumSignificantDigits: 3,
  maximumFractionDigits: 2,
  roundingPriority: 'lessPrecision',
});
const compactMoney = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  minimumFractionDigits: 0,
  maximumSignificantDigits: 3,
});
const cents = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

export const countUnit: Unit = {
  short: (value) => compact.format(value),
  exact: (value) => whole.format(value),
  whole: true,
};

export const dollarUnit: Unit = { short: (value) => compactMoney.format(value), exact: dollarText };

/** Rounds a decimal amount, which may have fifteen decimal places, for display. */
export const dollars = (amount: string): string => dollarText(Number(amount));

export const timeUnit: Unit = { short: duration, exact: duration };

export const percentUnit: Unit = { short: percent, exact: percent };

function duration(ms: number): string {
  if (ms < 1_000) return `${precise.format(ms)} ms`;
  return ms < 120_000 ? `${precise.format(ms / 1_000)} s` : `${precise.format(ms / 60_000)} min`;
}

function percent(part: number): string {
  return part > 0 && part < 0.000_05 ? '< 0.01 %' : `${share.format(part * 100)} %`;
}

function dollarText(value: number): string {
  if (value === 0) return '$0';
  return value < 0.01 ? `$${Number(value.toPrecision(2))}` : cents.format(value);
}
