import { type ApiKey, GatewayError } from '@tallyport/contracts';
import { hasRole } from '@tallyport/management';
import { type Html, html } from '@tallyport/pages';
import { shownColumns } from './columns.ts';
import { contentLink, contentPage } from './content-view.ts';
import { inputOfView, type ListView, readableProblem, viewIn } from './filters.ts';
import { readKeyText } from './key-text.ts';
import { type RequestList, requestList, requestsPage } from './list-view.ts';
import { fieldOfKey, findKeyId, findNamedKey, type NamedKey } from './named-key.ts';
import { readRequestSums } from './read-sums.ts';
import { requestPage } from './request-view.ts';
import { readSuggestions } from './suggestions.ts';
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
  const { ask, query } = request;
  const given = viewIn(query, Date.now());
  if (query['only'] === 'list') return { title, body: requestList(await readRenewed(request, given)) };
  const newest = ask('listKeys', { order: 'newest', limit: suggestedKeys });
  const { key: text } = given.filters;
  const key = text === undefined ? undefined : await findNamedKey(request, text, (await newest).keys);
  const view = key === undefined ? given : withKey(given, key.id);
  const [{ keys }, list] = await Promise.all([newest, readGivenList(request, view)]);
  const page = { request, view, keys, key };
  if (list.problem !== undefined) return { title, body: await listPage(page, list), status: 400 };
  return { title, content: () => listPage(page, list), ...(list.isLive && { scripts: ['live.js'] }) };
}

interface ShownList {
  request: DashboardRequest;
  view: ListView;
  /** The newest ones, which the filter suggests. */
  keys: readonly ApiKey[];
  /** That of the filter. */
  key: NamedKey | undefined;
}

/** The list in its page, with what takes longer than the list. */
async function listPage({ request, view, keys, key }: ShownList, list: GivenList): Promise<Html> {
  const { ask, base, caller, account } = request;
  const { member } = view.filters;
  const [{ projects }, suggestions, sums, emails] = await Promise.all([
    ask('listProjects'),
    readSuggestions(request),
    list.problem === undefined ? readRequestSums(request, view) : undefined,
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
    sums,
    ...list,
  });
}

type GivenList = Awaited<ReturnType<typeof readGivenList>>;

/** The list, or what is wrong with the filters. */
async function readGivenList(request: DashboardRequest, view: ListView) {
  try {
    return { ...(await readList(request, view)), problem: undefined };
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'invalid_parameters') throw error;
    const none = { isFirst: true, isLive: false, requests: [], nextCursor: undefined };
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
  const { period, sort } = view;
  const cursor = request.query['cursor'] || undefined;
  const { requests, nextCursor } = await request.ask('listRequests', {
    ...inputOfView(view),
    ...(sort !== undefined && { sort }),
    ...(cursor !== undefined && { cursor }),
  });
  const keyText = await readKeyText(
    request,
    requests.map(({ keyId }) => keyId),
  );
  const isFirst = cursor === undefined;
  // New requests do not belong to a list that ends at a fixed time, and those of another order have other places.
  return { requests, nextCursor, keyText, isFirst, isLive: isFirst && period.isOpen && sort === undefined };
}

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
