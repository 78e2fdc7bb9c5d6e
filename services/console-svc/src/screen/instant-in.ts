import { type Viewer, viewerIn } from '@tallyport/pages';
import { isTimeZone } from './zones.ts';

const withOffset = /(?:Z|[+-]\d\d:?\d\d)$/i;
const withoutOffset = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$/;

/**
 * The time that a text of an address names. Browsers send a time without an offset: it is one of the zone, by default UTC.
 * `undefined` if the text is no time.
 */
export function instantIn(text: string, zone = 'UTC'): number | undefined {
  if (withOffset.test(text)) return timeIn(text);
  if (!withoutOffset.test(text)) return undefined;
  const local = timeIn(text.includes('T') ? `${text}Z` : `${text}T00:00Z`);
  if (local === undefined) return undefined;
  const timeZone = isTimeZone(zone) ? zone : 'UTC';
  // The offset may change between the two, so it is looked up at the result as well.
  return local - offsetAt(local - offsetAt(local, timeZone), timeZone);
}

/** The time as a field of the browser has it, in the viewer's zone. `instantIn` reads it. */
export const fieldTime = (viewer: Viewer, iso: string): string => viewer.minute(iso).slice(0, 16).replace(' ', 'T');

function timeIn(text: string): number | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** What the clocks of the zone are ahead of UTC. */
function offsetAt(time: number, timeZone: string): number {
  const minute = Math.floor(time / 60_000) * 60_000;
  const shown = fieldTime(viewerIn(timeZone), new Date(minute).toISOString());
  return Date.parse(`${shown}Z`) - minute;
}
