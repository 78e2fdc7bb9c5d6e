import { GatewayError } from '@tallyport/contracts';
import { hasRole } from '@tallyport/management';
import { type Html, html } from '@tallyport/pages';
import { shownColumns } from './columns.ts';
import { contentLink, contentPage } from './content-view.ts';
import { inputOfView, type ListView, readableProblem, viewIn } from './filters.ts';
import { readKeyText } from './key-text.ts';
import { type RequestList, requestList, requestsPage } from './list-view.ts';
import { fieldOfKey, findKeyId, findNamedKey } from './named-key.ts';
import { readRequestSums } from './read-sums.ts';
import { requestPage } from './request-view.ts';
import { readSuggestions } from './suggestions.ts';
import { isInputOf } from '../screen/is-input-of.ts';
import { readProjectNames } from '../screen/project-names.ts';
import { pageMessage } from '../screen/page-message.ts';
import { readEmails } from '../screen/read-emails.ts';
import { exportAddress } from '../screen/request-links.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';

export const requestRoutes: readonly DashboardRoute[] = [
  { method: 'get', path: '/requests', section: 'requests', answer: showRequests },
  { method: 'get', path: '/requests/:id', section: 'requests', answer: showRequest },
  { method: 'get', path: '/requests/:id/content', section: 'requests', answer: showContent },
];

const title = 'Requests';

/** Keys that the filter suggests. Others are found by their name. */
const suggestedKeys = 100;

async function showRequests(request: DashboardRequest): Promise<DashboardResponse> {
  const { query } = request;
  const view = viewIn(query, Date.now());
  if (query['only'] === 'list') return { title, body: requestList(await readRenewed(request, view)) };
  // The status says that the API refuses the filters.
  if (!isInputOf('listRequests', inputOfList(view, query)))
    return { title, body: await listPage(request, view), status: 400 };
  const content = () => listPage(request, view);
  return { title, content, ...(isRenewed(view, query) && { scripts: ['live.js'] }) };
}

/** The list in its page. A key of the filter is given by its name or its id. */
async function listPage(request: DashboardRequest, given: ListView): Promise<Html> {
  const { ask, base, caller, account } = request;
  // The filter suggests the newest ones.
  const newest = ask('listKeys', { order: 'newest', limit: suggestedKeys });
  const { key: text, member } = given.filters;
  const key = text === undefined ? undefined : await findNamedKey(request, text, (await newest).keys);
  const view = key === undefined ? given : withKey(given, key.id);
  const [{ keys }, list, { projects }, suggestions, emails] = await Promise.all([
    newest,
    readGivenList(request, view),
    ask('listProjects'),
    readSuggestions(request),
    member === undefined ? undefined : readEmails(ask),
  ]);
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return requestsPage({
    base,
    view,
    key,
    member: emails?.get(member ?? ''),
    keyField: key && fieldOfKey(key, keys),
    projects,
    projectText: (id) => names.get(id) ?? id,
    suggestions: { ...suggestions, keys: keys.map(({ name }) => name) },
    onlyOwn: !hasRole(caller, 'admin'),
    exportHref: exportAddress(account.id, { ...inputOfView(view), sort: view.sort }),
    ...list,
  });
}

/** The list with its sums, or what is wrong with the filters. */
async function readGivenList(request: DashboardRequest, view: ListView) {
  try {
    const [list, sums] = await Promise.all([readList(request, view), readRequestSums(request, view)]);
    return { ...list, sums, problem: undefined };
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'invalid_parameters') throw error;
    const none = { isFirst: true, isLive: false, requests: [], sums: undefined };
    return { ...none, keyText: ({ keyId }: { keyId: string }) => keyId, problem: readableProblem(error.message) };
  }
}

/** The list alone, which live.js asks for every few seconds. */
async function readRenewed(request: DashboardRequest, given: ListView): Promise<RequestList> {
  const { key } = given.filters;
  const view = key === undefined ? given : withKey(given, await findKeyId(request, key));
  const hasProjects = shownColumns(view).some(({ key }) => key === 'project');
  const projectText = hasProjects ? await readProjectNames(request) : String;
  return { ...(await readList(request, view)), base: request.base, view, projectText };
}

const withKey = ({ filters, ...view }: ListView, key: string): ListView => ({ ...view, filters: { ...filters, key } });

async function readList(request: DashboardRequest, view: ListView) {
  const { query } = request;
  const { requests, ...rest } = await request.ask('listRequests', inputOfList(view, query));
  const keyText = await readKeyText(
    request,
    requests.map(({ keyId }) => keyId),
  );
  return { requests, ...rest, keyText, isFirst: cursorIn(query) === undefined, isLive: isRenewed(view, query) };
}

type Query = DashboardRequest['query'];

const inputOfList = (view: ListView, query: Query) => ({
  ...inputOfView(view),
  sort: view.sort,
  cursor: cursorIn(query),
});

const cursorIn = (query: Query): string | undefined => query['cursor'] || undefined;

/** New requests do not belong to a list that ends at a fixed time, and those of another order have other places. */
const isRenewed = ({ period, sort }: ListView, query: Query): boolean =>
  cursorIn(query) === undefined && period.isOpen && sort === undefined;

async function showRequest(visit: DashboardRequest): Promise<DashboardResponse> {
  const { ask, base, caller, params } = visit;
  const request = await ask('readRequest', { id: params['id'] });
  const page = requestPage({ base, request, keyText: await readKeyText(visit, [request.keyId]) });
  const body = hasRole(caller, 'admin')
    ? html`${page} ${contentLink({ base, id: request.id, ...keepingOf(visit) })}`
    : page;
  return { title: 'Request', body, scripts: ['copy.js'] };
}

const keepingOf = ({ account, caller }: DashboardRequest) => ({
  isKept: account.contentLog !== undefined,
  mayChange: hasRole(caller, 'owner'),
});

async function showContent(visit: DashboardRequest): Promise<DashboardResponse> {
  const { ask, base, params } = visit;
  const page = { base, id: params['id'] ?? '', content: undefined, problem: undefined, ...keepingOf(visit) };
  const title = 'Prompt and answer';
  try {
    const content = await ask('readRequestContent', { id: page.id });
    return { title, body: contentPage({ ...page, content }) };
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'not_found') throw error;
    return { title, body: contentPage({ ...page, problem: pageMessage(error) }), status: 404 };
  }
}
