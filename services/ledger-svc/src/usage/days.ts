export const dayMs = 86_400_000;

/** The day of a time in UTC, as `2026-11-23`. */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** Whether a text is a day as `dayOf` writes it. */
export function isDay(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && dayOf(date) === text;
}

interface Span {
  from: Date;
  /** Exclusive. */
  until: Date;
}

/** The first and the last day of a time. */
export const daysIn = ({ from, until }: Span): { from: string; to: string } => ({
  from: dayOf(from),
  to: dayOf(new Date(until.getTime() - 1)),
});

/** The same as words of a file name. */
export function daysText(span: Span): string[] {
  const { from, to } = daysIn(span);
  return [from, 'to', to];
}
