import type { CallOperation } from '@tallyport/management';
import type { Viewer } from '@tallyport/pages';

/** A place of the dashboard that a text leads to. */
export interface JumpPlace {
  kind: 'Screen' | 'Key' | 'Request';
  text: string;
  /** Distinguishes it from others of the same name. */
  detail?: string;
  href: string;
}

interface JumpQuery {
  text: string;
  base: string;
  ask: CallOperation;
  viewer: Viewer;
  screens: readonly { title: string; href: string }[];
}

const mostKeys = 8;
/** Shorter texts are names. */
const shortestRequestId = 8;

/** Screens and keys whose names contain the text, and the request that has it as id. Without a text, all screens. */
export async function findPlaces({ text, base, ask, viewer, screens }: JumpQuery): Promise<JumpPlace[]> {
  const wanted = text.toLowerCase();
  const found: JumpPlace[] = screens
    .filter(({ title }) => title.toLowerCase().includes(wanted))
    .map(({ title, href }) => ({ kind: 'Screen', text: title, href }));
  if (text === '') return found;
  const [keys, requests] = await Promise.all([findKeys(ask, text), findRequests(ask, text)]);
  return [
    ...found,
    ...keys.map(({ id, name, prefix }): JumpPlace => ({
      kind: 'Key',
      text: name,
      detail: `${prefix}…`,
      href: `${base}/keys/${id}`,
    })),
    ...requests.map(({ id, requestId, model, at }): JumpPlace => ({
      kind: 'Request',
      text: requestId,
      detail: `${model} at ${viewer.minute(at)}`,
      href: `${base}/requests/${encodeURIComponent(id)}`,
    })),
  ];
}

const findKeys = async (ask: CallOperation, search: string) =>
  (await ask('listKeys', { search, state: 'working', order: 'newest', limit: mostKeys })).keys;

const findRequests = async (ask: CallOperation, id: string) =>
  id.length < shortestRequestId || /\s/.test(id) ? [] : (await ask('listRequests', { id, limit: 3 })).requests;
