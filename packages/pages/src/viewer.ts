/** The person who views a page, as far as the page depends on them. */
export interface Viewer {
  /** The name of their time zone, for example `Europe/Berlin`. */
  timeZone: string;
  /** The date in their time zone: `2026-11-23`. */
  day(iso: string): string;
  /** Date and time with the offset of the zone: `2026-11-23 14:05 UTC+1`. */
  minute(iso: string): string;
  /** The same with seconds: `2026-11-23 14:05:30 UTC+1`. */
  second(iso: string): string;
}

/** The viewer in a time zone. Throws a RangeError for an unknown one. */
export function viewerIn(timeZone: string): Viewer {
  if (timeZone === 'UTC') return inUtc;
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'shortOffset',
  });
  const partsOf = (iso: string): Record<string, string> =>
    Object.fromEntries(format.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]));
  return {
    timeZone,
    day(iso) {
      const { year, month, day } = partsOf(iso);
      return `${year}-${month}-${day}`;
    },
    minute(iso) {
      const { year, month, day, hour, minute, timeZoneName = '' } = partsOf(iso);
      return `${year}-${month}-${day} ${hour}:${minute} ${timeZoneName.replace('GMT', 'UTC')}`;
    },
    second(iso) {
      const { year, month, day, hour, minute, second, timeZoneName = '' } = partsOf(iso);
      return `${year}-${month}-${day} ${hour}:${minute}:${second} ${timeZoneName.replace('GMT', 'UTC')}`;
    },
  };
}

const inUtc: Viewer = {
  timeZone: 'UTC',
  day: (iso) => iso.slice(0, 10),
  minute: (iso) => `${iso.slice(0, 16).replace('T', ' ')} UTC`,
  second: (iso) => `${iso.slice(0, 19).replace('T', ' ')} UTC`,
};
