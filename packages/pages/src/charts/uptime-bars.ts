import { type Html, html } from '../html.ts';

const step = 4;
const gap = 1;
const tallest = 32;

/** The uptime of a day without calls is not known. */
export interface UptimeDay {
  day: string;
  uptime: number | undefined;
}

/**
 * A bar per day. Its height and its colour say how many calls the provider answered; the label has it in words. `unknown`
 * is shown for days without an uptime.
 */
export function uptimeBars(days: readonly UptimeDay[], unknown = 'no calls'): Html {
  return html`<svg
    class="uptime-days"
    viewBox="0 0 ${days.length * step - gap} ${tallest}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${labelOf(days)}"
  >
    ${days.map(({ day, uptime }, at) => {
      const { level, height } = levelOf(uptime);
      return html`<rect
        class="${level}"
        x="${at * step}"
        y="${tallest - height}"
        width="${step - gap}"
        height="${height}"
      >
        <title>${day}: ${uptime === undefined ? unknown : percent(uptime)}</title>
      </rect>`;
    })}
  </svg>`;
}

/** Below 95 % is an incident, if it lasts for an hour. */
export function levelOf(uptime: number | undefined): { level: 'none' | 'good' | 'warn' | 'bad'; height: number } {
  if (uptime === undefined) return { level: 'none', height: 4 };
  if (uptime >= 0.99) return { level: 'good', height: tallest };
  return uptime >= 0.95 ? { level: 'warn', height: 24 } : { level: 'bad', height: 16 };
}

function labelOf(days: readonly UptimeDay[]): string {
  const known = days.filter((day): day is { day: string; uptime: number } => day.uptime !== undefined);
  const [worst] = known.toSorted((one, other) => one.uptime - other.uptime);
  if (worst === undefined) return `The uptime of ${days.length} days is not known.`;
  return `Uptime by day, known for ${known.length} of ${days.length} days, lowest ${percent(worst.uptime)} on ${worst.day}.`;
}

/** Never rounded up to 100 %. */
export const percent = (ratio: number): string => `${Math.floor(ratio * 10_000) / 100} %`;

/** The mean of the days whose uptime is known. */
export function meanUptime(days: readonly UptimeDay[]): number | undefined {
  const known = days.flatMap(({ uptime }) => uptime ?? []);
  return known.length === 0 ? undefined : known.reduce((sum, uptime) => sum + uptime, 0) / known.length;
}

/** One entry for each of the dates, whether or not there were calls. */
export function byDate(
  days: readonly { day: string; uptime?: number | undefined }[],
  dates: readonly string[],
): UptimeDay[] {
  const uptimes = new Map(days.map(({ day, uptime }) => [day, uptime]));
  return dates.map((day) => ({ day, uptime: uptimes.get(day) }));
}
