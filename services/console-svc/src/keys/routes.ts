import type { ApiKey } from '@tallyport/contracts';
import { hasRole, mayMakeAdminKeys, type ProjectOverview } from '@tallyport/management';
import {
  type FieldSpec,
  type FieldValues,
  fieldValues,
  formPart,
  type FormState,
  heading,
  type Html,
  html,
  inputOf,
} from '@tallyport/pages';
import { keyGroups, newKeyGroups } from './fields.ts';
import { keyFacts, keysPage, shownKeyPage } from './view.ts';
import { formPage } from '../screen/form-page.ts';
import { confirmationRoutes, formRoutes, type ConfirmationPrompt } from '../screen/form-routes.ts';
import { withDefaults } from '../screen/limit-fields.ts';
import { type DashboardRequest, type DashboardResponse, type DashboardRoute, secretScripts } from '../screen/route.ts';
import { type GroupCosts, readDearestKeys, readGroupCosts } from '../usage/group-costs.ts';
import { usageStrip } from '../usage/usage-strip.ts';

const section = 'keys';
const back = { path: '/keys', text: 'API Keys' };

const fieldsOf = (groups: readonly { fields: readonly FieldSpec[] }[]): FieldSpec[] =>
  groups.flatMap(({ fields }) => fields);

export const keyRoutes: readonly DashboardRoute[] = [
  {
    method: 'get',
    path: '/keys',
    section,
    answer: async (request) => ({ title: 'API Keys', content: () => listedKeys(request) }),
  },
  ...formRoutes({ path: '/keys/new', section, show: showNewKey, submit: createKey }),
  ...formRoutes({ path: '/keys/:id', section, show: showKey, submit: changeKey }),
  ...formRoutes({ path: '/keys/:id/rotate', section, show: askToRotate, submit: rotateKey }),
  ...confirmationRoutes({ path: '/keys/:id/revoke', section, ask: askToRevoke, act: revokeKey }),
];

const pageSize = 50;

async function listedKeys(request: DashboardRequest): Promise<Html> {
  const { ask, base, caller, query } = request;
  const search = query['q']?.trim().slice(0, 100) || undefined;
  const state = query['state'] === 'revoked' ? 'revoked' : 'working';
  const project = query['project'] || undefined;
  const sort = query['sort'] === 'cost' ? 'cost' : undefined;
  const cursor = sort === undefined ? query['before'] || undefined : undefined;
  const filter = { search, state, project };
  const [{ keys, costs, nextCursor }, { projects }] = await Promise.all([
    sort === 'cost' ? readByCost(request, filter) : readNewest(request, { ...filter, cursor }),
    ask('listProjects'),
  ]);
  const list = { search, state, project, sort, cursor, nextCursor } as const;
  return keysPage({ base, keys, costs, projects, list, onlyOwn: !hasRole(caller, 'admin'), now: new Date() });
}

interface ListedKeys {
  keys: readonly ApiKey[];
  costs: GroupCosts | undefined;
  nextCursor?: string | undefined;
}

async function readNewest(request: DashboardRequest, filter: object): Promise<ListedKeys> {
  const { keys, nextCursor } = await request.ask('listKeys', { ...filter, order: 'newest', limit: pageSize });
  const ids = keys.map(({ id }) => id);
  return { keys, nextCursor, costs: await readGroupCosts(request, 'key', ids) };
}

/** Those of the highest cost: keys without cost are not among them. */
async function readByCost(request: DashboardRequest, filter: object): Promise<ListedKeys> {
  const ids = await readDearestKeys(request);
  if (ids.length === 0) return { keys: [], costs: undefined };
  const [{ keys }, costs] = await Promise.all([
    request.ask('listKeys', { ...filter, ids: ids.join(',') }),
    readGroupCosts(request, 'key', ids),
  ]);
  return { keys: keys.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id)), costs };
}

async function showNewKey(request: DashboardRequest, state: FormState): Promise<DashboardResponse> {
  const { ask, caller, query, limitDefaults } = request;
  const { projects } = await ask('listProjects');
  const chosen: FieldValues = query['project'] === undefined ? {} : { projectId: query['project'] };
  const filled = { ...state, values: { ...chosen, ...state.values } };
  const groups = withDefaults(newKeyGroups(mayMakeAdminKeys(caller), projects), limitDefaults);
  return formPage(request, filled, { title: 'Create a key', back, groups, button: 'Create the key', once: true });
}

/** The response itself shows the key. Another page could only show it if it were stored until then. */
async function createKey({ ask, base, fields, publicUrl, modelFor }: DashboardRequest): Promise<DashboardResponse> {
  const created = await ask(
    'createKey',
    inputOf(fieldsOf(newKeyGroups(true, (await ask('listProjects')).projects)), fields),
  );
  return {
    title: 'Your new key',
    scripts: secretScripts,
    body: shownKeyPage({ ...created, base, publicUrl, model: await modelFor(created.key) }),
  };
}

async function showKey(request: DashboardRequest, state: FormState): Promise<DashboardResponse> {
  const { ask, base, place, params, signedIn, limitDefaults } = request;
  const id = params['id'] ?? '';
  const [key, { projects }, usage] = await Promise.all([
    ask('readKey', { id }),
    ask('listProjects'),
    usageStrip(request, { key: id }),
  ]);
  const groups = keyGroups(withProjectOf(key, projects));
  const href = `${base}/keys/${key.id}`;
  const values = state.problem ? state.values : fieldValues(fieldsOf(groups), key);
  const form = formPart({
    action: place,
    csrfToken: signedIn.csrfToken,
    state: { ...state, values },
    groups: withDefaults(groups, limitDefaults),
    button: 'Save',
    cancel: `${base}/keys`,
  });
  const actions = html`<div class="form-actions">
    <a class="button plain" href="${href}/rotate">Rotate</a> <a class="button danger" href="${href}/revoke">Revoke</a>
  </div>`;
  const working = key.revokedAt === undefined;
  return {
    title: key.name,
    body: html`${heading({ title: key.name, back: { href: base + back.path, text: back.text } })} ${usage}
    ${keyFacts(key, new Date())} ${working && actions} ${working && form}`,
  };
}

/** A key may be in a project that its owner has left: saving the form must not take it out. */
function withProjectOf({ projectId }: ApiKey, projects: readonly ProjectOverview[]): { id: string; name: string }[] {
  const isListed = projectId === undefined || projects.some(({ id }) => id === projectId);
  return isListed ? [...projects] : [...projects, { id: projectId, name: projectId }];
}

async function changeKey({ ask, fields, params }: DashboardRequest): Promise<DashboardResponse> {
  const [key, { projects }] = await Promise.all([ask('readKey', { id: params['id'] }), ask('listProjects')]);
  const changes = inputOf(fieldsOf(keyGroups(withProjectOf(key, projects))), fields, { emptied: true });
  await ask('changeKey', { ...changes, id: params['id'] });
  return { to: '/keys', notice: 'key-changed' };
}

const overlapField: FieldSpec = {
  name: 'overlapMinutes',
  label: 'Previous key stops working',
  kind: 'choice',
  initial: '60',
  choices: [
    { value: '0', text: 'immediately' },
    { value: '60', text: 'after one hour' },
    { value: '1440', text: 'after one day' },
    { value: '10080', text: 'after one week' },
  ],
};

async function askToRotate(
  { ask, base, place, params, signedIn, once }: DashboardRequest,
  state: FormState,
): Promise<DashboardResponse> {
  const { id, name } = await ask('readKey', { id: params['id'] });
  const form = formPart({
    action: place,
    csrfToken: signedIn.csrfToken,
    once,
    state,
    groups: [{ fields: [overlapField] }],
    button: 'Rotate',
    cancel: `${base}/keys/${id}`,
  });
  const text =
    'Creates a new secret for this key, which keeps its name, limits and budget. Until the previous one stops working, both can be used.';
  const title = `Rotate ${name}`;
  return { title, body: html`<div class="panel padded question">${heading({ title, text })} ${form}</div>` };
}

async function rotateKey({
  ask,
  base,
  fields,
  params,
  publicUrl,
  modelFor,
}: DashboardRequest): Promise<DashboardResponse> {
  const overlapMinutes = Number(fields['overlapMinutes']);
  const rotated = await ask('rotateKey', { id: params['id'], overlapMinutes });
  return {
    title: 'Your new key',
    scripts: secretScripts,
    body: shownKeyPage({ ...rotated, base, publicUrl, model: await modelFor(rotated.key) }),
  };
}

async function askToRevoke({ ask, params }: DashboardRequest): Promise<ConfirmationPrompt> {
  const { id, name, prefix } = await ask('readKey', { id: params['id'] });
  const text = html`Requests with <code>${prefix}…</code> are refused everywhere within a second. This cannot be undone.`;
  return { title: `Revoke ${name}?`, text, button: 'Revoke the key', back: `/keys/${id}` };
}

async function revokeKey({ ask, params }: DashboardRequest): Promise<DashboardResponse> {
  await ask('revokeKey', { id: params['id'] });
  return { to: '/keys', notice: 'key-revoked' };
}
