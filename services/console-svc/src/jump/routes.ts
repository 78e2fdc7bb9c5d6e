import { heading, html, searchForm } from '@tallyport/pages';
import { jumpHint } from '../screen/frame.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';
import { findPlaces } from './find-places.ts';
import type { JumpPlace } from './jump-place.ts';

/** A search for screens, actions, and what the account has. The module `palette.js` shows its results in a dialog on every page. */
export const jumpRoutes: readonly DashboardRoute[] = [
  { method: 'get', path: '/jump', section: undefined, answer: showPlaces },
  { method: 'get', path: '/jump/places', section: undefined, answer: sendPlaces },
];

async function showPlaces(request: DashboardRequest): Promise<DashboardResponse> {
  const text = textOf(request);
  const places = await findPlaces(request, text);
  const form = searchForm({
    action: request.place,
    label: 'Jump to',
    placeholder: jumpHint,
    text,
    kept: {},
  });
  return {
    title: 'Jump to',
    body: html`${heading({ title: 'Jump to' })} ${form}
      <div class="panel padded">
        ${places.length > 0 ? placeList(places) : html`<p>Nothing has this name or id.</p>`}
      </div>`,
  };
}

const placeList = (places: readonly JumpPlace[]) =>
  html`<ul class="places">
    ${places.map(
      ({ kind, text, detail, href }) =>
        html`<li>
          <a href="${href}">${text}</a> <span class="quiet small">${kind}${detail !== undefined && `, ${detail}`}</span>
        </li>`,
    )}
  </ul>`;

async function sendPlaces(request: DashboardRequest): Promise<DashboardResponse> {
  return { data: { places: await findPlaces(request, textOf(request)) } };
}

const textOf = ({ query }: DashboardRequest): string => (query['q'] ?? '').trim().slice(0, 100);
