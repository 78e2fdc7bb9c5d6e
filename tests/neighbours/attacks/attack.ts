import { maskToken } from '../../../packages/pages/src/http/csrf-mask.ts';
import type { Attacker } from '../installation.ts';

/** The worst that an account may do in one way. */
export interface Attack {
  name: string;
  /** Sets up what the attack needs, and returns it. */
  prepare(attacker: Attacker): Promise<PreparedAttack>;
}

export interface PreparedAttack {
  /** How many clients repeat it at the same time. */
  clients: number;
  /** Sends one request and reads its whole answer. The client leaves when the signal aborts. */
  once(turn: number, signal: AbortSignal): Promise<Answer>;
  end?(): Promise<unknown>;
}

export interface Answer {
  status: number;
  text: string;
}

interface Sent {
  headers?: Record<string, string>;
  body?: Buffer | string;
  method?: string;
  signal?: AbortSignal;
}

/** A request of the attacker with its key for the API. */
export const send = (attacker: Attacker, path: string, sent: Sent = {}): Promise<Answer> =>
  sendTo(attacker.baseUrl + path, {
    ...sent,
    headers: { authorization: `Bearer ${attacker.apiKey}`, 'content-type': 'application/json', ...sent.headers },
  });

/** The same as a page of the dashboard sends it, with the session of the attacking account's owner. */
export const sendFromPage = (
  { baseUrl, owner }: Attacker,
  path: string,
  sent: Omit<Sent, 'headers'>,
): Promise<Answer> =>
  sendTo(baseUrl + path, {
    ...sent,
    headers: {
      ...owner.headers,
      'x-csrf-token': maskToken(owner.headers['x-csrf-token'] ?? ''),
      'x-tallyport-account': 'default',
      'sec-fetch-site': 'same-origin',
    },
  });

async function sendTo(url: string, { method = 'POST', headers, body, signal }: Sent): Promise<Answer> {
  const response = await fetch(url, {
    method,
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  });
  return { status: response.status, text: await response.text() };
}

interface Managed {
  body?: object | undefined;
  signal?: AbortSignal;
}

/** A request of the management API with the attacker's admin key. */
export const manage = (attacker: Attacker, operation: string, { body, signal }: Managed = {}): Promise<Answer> => {
  const [method = '', path = ''] = operation.split(' ');
  const init = { method, ...(body && { body: JSON.stringify(body) }), ...(signal && { signal }) };
  return send({ ...attacker, apiKey: attacker.adminKey }, `/api/v1${path}`, init);
};

/** A setting that the attack needs, which must be accepted. Resolves with the answer's JSON. */
export async function set(attacker: Attacker, operation: string, body?: object): Promise<Record<string, unknown>> {
  const { status, text } = await manage(attacker, operation, { body });
  if (status >= 300) throw new Error(`${operation}: ${status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}

/** A key of the attacking account with these settings. */
export const keyWith = async (attacker: Attacker, settings: object): Promise<Attacker> => ({
  ...attacker,
  apiKey: String((await set(attacker, 'POST /keys', { name: 'attack', ...settings }))['key']),
});
