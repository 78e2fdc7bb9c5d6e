const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A length of time, rounded: `40 s`, `95 min` or `3 h`. */
export function spanText(ms: number): string {
  if (ms < 1.5 * minuteMs) return `${Math.max(1, Math.round(ms / 1_000))} s`;
  return ms < 2 * hourMs ? `${Math.round(ms / minuteMs)} min` : `${Math.round(ms / hourMs)} h`;
}
