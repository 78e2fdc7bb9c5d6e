import { hasRole, type Member } from '@tallyport/management';
import type { DashboardRequest } from '../screen/route.ts';
import { endUserAddress } from '../end-users/end-user-page.ts';
import { modelAddress } from '../screen/model-address.ts';
import { tryAddress } from '../playground/address.ts';
import type { NamedThing } from './jump-place.ts';

export type JumpRequest = Pick<DashboardRequest, 'api' | 'ask' | 'base' | 'caller' | 'signedIn' | 'viewer'>;

/** Of each kind. */
export const mostOfKind = 8;
/** Shorter texts are names. */
const shortestRequestId = 8;

/** What the person may see and the text names, a few of each kind. An empty text names everything but end users and requests. */
export async function findThings(request: JumpRequest, text: string): Promise<NamedThing[]> {
  const found = await Promise.all(
    [findKeys, findProjects, findModels, findMembers, findEndUsers, findAlerts, findRequests].map((find) =>
      find(request, text),
    ),
  );
  return found.flat();
}

type Find = (request: JumpRequest, text: string) => Promise<NamedThing[]>;

const findKeys: Find = async ({ ask, base }, text) => {
  const { keys } = await ask('listKeys', { ...searchFor(text), state: 'working', order: 'newest', limit: mostOfKind });
  return keys.map(({ id, name, prefix }) => {
    const href = `${base}/keys/${id}`;
    const actions = { revoke: `${href}/revoke`, rotate: `${href}/rotate` };
    return { kind: 'Key', text: name, detail: `${prefix}…`, href, actions };
  });
};

const findProjects: Find = async ({ ask, base, caller }, text) => {
  const { projects } = await ask('listProjects');
  return firstWith(projects, text, ({ name }) => [name]).map(({ id, name }) => {
    const href = `${base}/projects/${id}`;
    return { kind: 'Project', text: name, href, actions: hasRole(caller, 'admin') ? { delete: `${href}/delete` } : {} };
  });
};

const findModels: Find = async ({ api, base }, text) => {
  const models = await api.listModels();
  const providers = [...new Set(models.flatMap((model) => model.providers.map(({ providerId }) => providerId)))];
  return [
    ...firstWith(models, text, ({ id, name, aliases }) => [id, name, ...aliases]).map((model): NamedThing => ({
      kind: 'Model',
      text: model.name,
      detail: model.id,
      href: modelAddress(base, model.id),
      actions: { try: tryAddress(base, [model]) },
    })),
    ...firstWith(providers, text, (name) => [name]).map((name): NamedThing => ({
      kind: 'Provider',
      text: name,
      href: `${base}/providers/${encodeURIComponent(name)}`,
    })),
  ];
};

const findMembers: Find = async ({ ask, base, caller, signedIn }, text) => {
  const { members } = await ask('listMembers', { ...searchFor(text), limit: mostOfKind });
  const mayChange = ({ role }: Member): boolean => hasRole(caller, role === 'owner' ? 'owner' : 'admin');
  return members.map((member) => {
    const own = `${base}/members/${member.userId}`;
    const mayRemove = mayChange(member) || member.userId === signedIn.userId;
    return {
      kind: 'Member',
      text: member.email,
      detail: member.role,
      href: mayChange(member) ? own : `${base}/members?${new URLSearchParams({ q: member.email }).toString()}`,
      actions: mayRemove ? { remove: `${own}/remove` } : {},
    };
  });
};

const findEndUsers: Find = async ({ ask, base, caller }, text) => {
  if (text === '' || !hasRole(caller, 'admin')) return [];
  const { endUsers } = await ask('findEndUsers', { search: text, limit: mostOfKind });
  return endUsers.map((name) => ({ kind: 'End user', text: name, href: endUserAddress(base, name) }));
};

const findAlerts: Find = async ({ ask, base, caller }, text) => {
  if (!hasRole(caller, 'admin')) return [];
  const { alerts } = await ask('listAlerts');
  return firstWith(alerts, text, ({ name }) => [name]).map(({ id, name }) => {
    const href = `${base}/alerts/${id}`;
    return { kind: 'Alert', text: name, href, actions: { delete: `${href}/delete` } };
  });
};

const findRequests: Find = async ({ ask, base, viewer }, id) => {
  if (id.length < shortestRequestId || /\s/.test(id)) return [];
  const { requests } = await ask('listRequests', { id, limit: 3 });
  return requests.map(({ id: own, requestId, model, at }) => ({
    kind: 'Request',
    text: requestId,
    detail: `${model} at ${viewer.minute(at)}`,
    href: `${base}/requests/${encodeURIComponent(own)}`,
  }));
};

const searchFor = (text: string): { search?: string } => (text === '' ? {} : { search: text });

/** Whether each word of the text is part of the names. */
export function hasWords(names: readonly string[], text: string): boolean {
  const all = names.join(' ').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** The first that the text names; those with the shortest names first, which are closest to it. */
const firstWith = <Item>(items: readonly Item[], text: string, namesOf: (item: Item) => readonly string[]): Item[] =>
  items
    .filter((item) => hasWords(namesOf(item), text))
    .toSorted((one, other) => (namesOf(one)[0] ?? '').length - (namesOf(other)[0] ?? '').length)
    .slice(0, mostOfKind);
