import { type Viewer, viewerIn } from '@tallyport/pages';
import { isTimeZone } from '../screen/zones.ts';

const cookie = 'tallyport-time-zone';
const yearSeconds = 31_536_000;

/** The `Set-Cookie` header that keeps the choice in this browser. */
export const timeZoneCookie = (timeZone: string): string =>
  `${cookie}=${timeZone}; Path=/dashboard; HttpOnly; SameSite=Lax; Max-Age=${yearSeconds}`;

/** The viewer in the time zone of a `Cookie` header, or in UTC. */
export function viewerOf(header: string | undefined): Viewer {
  const [, timeZone = 'UTC'] = new RegExp(`(?:^|; *)${cookie}=([\\w+/-]{1,64})`).exec(header ?? '') ?? [];
  return viewerIn(isTimeZone(timeZone) ? timeZone : 'UTC');
}
