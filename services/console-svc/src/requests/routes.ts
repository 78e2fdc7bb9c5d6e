import { GatewayError } from '@tallyport/contracts';
import { hasRole } from '@tallyport/management';
import { html } from '@tallyport/pages';
import { contentLink, contentPage } from './content-view.ts';
import { type Filters, filtersIn, inputOfFilters } from './filters.ts';
import { type KeyText, readKeyText } from './key-text.ts';
import { type RequestsPage, requestsPage } from './list-view.ts';
import { requestPage } from './request-view.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';

export const requestRoutes: readonly DashboardRoute[] = [
  { method: 'get', path: '/requests', section: 'requests', answer: showRequests },
  { method: 'get', path: '/requests/:id', section: 'requests', answer: showRequest },
  { method: 'get', path: '/requests/:id/content', section: 'requests', answer: showContent },
];

/** Keys offered as a filter. Others are reached by the name of a key in the list. */
const offeredKeys = 100;

async function showRequests(request: DashboardRequest): Promise<DashboardResponse> {
  const { ask, base, caller, query } = request;
  const filters = filtersIn(query);
  const cursor = query['cursor'] || undefined;
  const isFirst = cursor === undefined;
  const [{ keys }, { projects }] = await Promise.all([
    ask('listKeys', { order: 'newest', limit: offeredKeys }),
    ask('listProjects'),
  ]);
  const page = { base, filters, keys, projects, onlyOwn: !hasRole(caller, 'admin'), isFirst };
  const title = 'Requests';
  try {
    // Requests that end after a fixed time do not belong to a list that ends there.
    const isLive = isFirst && filters.to === undefined;
    const input = { ...inputOfFilters(filters, Date.now()), ...(cursor !== undefined && { cursor }) };
    const listed = await ask('listRequests', input);
    const keyText = await readKeyText(request, keyIdsOf(listed.requests, filters));
    const shown = { ...page, keys: withChosen(keys, filters.key, keyText) };
    const body = requestsPage({ ...shown, isLive, nextCursor: undefined, ...listed, keyText, problem: undefined });
    return { title, body, ...(isLive && { scripts: ['live.js'] }) };
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'invalid_parameters') throw error;
    const none = { isLive: false, requests: [], nextCursor: undefined, keyText: () => '' };
    const body = requestsPage({ ...page, ...none, problem: error.message });
    return { title, body, status: 400 };
  }
}

const keyIdsOf = (requests: readonly { keyId: string }[], { key }: Filters): string[] =>
  [key, ...requests.map(({ keyId }) => keyId)].filter((keyId) => keyId !== undefined);

/** The filter offers keys; an application is chosen by its link in the list. */
const withChosen = (keys: RequestsPage['keys'], chosen: string | undefined, keyText: KeyText): RequestsPage['keys'] =>
  chosen === undefined || keys.some(({ id }) => id === chosen)
    ? keys
    : [...keys, { id: chosen, name: keyText({ keyId: chosen }) }];

async function showRequest(visit: DashboardRequest): Promise<DashboardResponse> {
  const { ask, base, caller, params } = visit;
  const request = await ask('readRequest', { id: params['id'] });
  const page = requestPage({ base, request, keyText: await readKeyText(visit, [request.keyId]) });
  const body = hasRole(caller, 'admin') ? html`${page} ${contentLink(base, request)}` : page;
  return { title: 'Request', body, scripts: ['copy.js'] };
}

async function showContent({ ask, base, params }: DashboardRequest): Promise<DashboardResponse> {
  const page = { base, id: params['id'] ?? '', content: undefined, problem: undefined };
  const title = 'Prompt and answer';
  try {
    const content = await ask('readRequestContent', { id: page.id });
    return { title, body: contentPage({ ...page, content }) };
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'not_found') throw error;
    return { title, body: contentPage({ ...page, problem: error.message }), status: 404 };
  }
}
