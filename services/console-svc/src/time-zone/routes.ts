import { type FieldSpec, formPart, type FormState, heading, html, problemAt } from '@tallyport/pages';
import { formRoutes } from '../screen/form-routes.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';
import { timeZoneCookie } from './cookie.ts';
import { isTimeZone, timeZones } from '../screen/zones.ts';

export const timeZoneRoutes: readonly DashboardRoute[] = formRoutes({
  path: '/time-zone',
  section: undefined,
  show: showZones,
  submit: chooseZone,
});

const fieldFor = (chosen: string): FieldSpec => ({
  name: 'timeZone',
  label: 'Time zone',
  kind: 'choice',
  required: true,
  hint: 'Sums by day and limits by day or month begin at midnight UTC in every zone. Times that you enter are in UTC, except those of a period.',
  // Browsers may have another name for a zone.
  choices: [...new Set([...timeZones, chosen])].map((name) => ({ value: name, text: name.replaceAll('_', ' ') })),
});

async function showZones(
  { place, signedIn, viewer }: DashboardRequest,
  { problem }: FormState,
): Promise<DashboardResponse> {
  const form = formPart({
    action: place,
    csrfToken: signedIn.csrfToken,
    state: { values: { timeZone: viewer.timeZone }, problem },
    groups: [{ fields: [fieldFor(viewer.timeZone)] }],
    button: 'Save',
  });
  return {
    title: 'Time zone',
    scripts: ['time-zone.js'],
    body: html`${heading({ title: 'Time zone', text: 'Times on all pages of the dashboard, in this browser.' })}
      <div class="panel padded">${form}</div>`,
  };
}

async function chooseZone({ fields }: DashboardRequest): Promise<DashboardResponse> {
  const { timeZone = '' } = fields;
  if (!isTimeZone(timeZone)) throw problemAt('timeZone', 'Choose a zone of the list.');
  return { to: '/time-zone', notice: 'time-zone-changed', cookie: timeZoneCookie(timeZone) };
}
