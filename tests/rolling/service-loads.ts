import { email, password, signedIn } from '../oauth/gateway.ts';
import { createPerson, type Person } from '../oauth/person.ts';
import { plainClient } from '../oauth/plain-client.ts';
import type { Distributed, ServiceName } from '../../scripts/distributed/start.ts';

/** A request through edge. Rejects if the answer is not the expected one. */
export type Ask = () => Promise<void>;

/** The requests that one service answers. */
export interface ServiceLoad {
  asks: readonly Ask[];
  /** The metric in which a replica counts the requests it has answered: its name, and labels of the series that count. */
  counted: string;
}

export type ScaledService = Exclude<ServiceName, 'edge' | 'batch-svc'>;

/** Settings for `serviceLoads`: requests without limits, and an owner who can sign in. */
export const loadSettings: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['CHAT', 'IMAGES', 'MODELS', 'MCP', 'MANAGEMENT'].map((kind) => [`LIMIT_${kind}_PER_MINUTE`, '0']),
  ),
  LIMIT_CONCURRENT_REQUESTS: '0',
  BOOTSTRAP_ADMIN_EMAIL: email,
  BOOTSTRAP_ADMIN_PASSWORD: password,
};

type Gateway = Pick<Distributed, 'baseUrl' | 'apiKey'>;

/** One load per service, as its own clients make it. Answers from a cache would be no work, so every prompt is new. */
export const serviceLoads: Readonly<Record<ScaledService, (gateway: Gateway) => Promise<ServiceLoad>>> = {
  'chat-svc': async (gateway) => ({
    asks: [
      () => post(gateway, '/v1/chat/completions', { model: 'sandbox-fast', messages: [message()] }),
      () => post(gateway, '/v1/chat/completions', { model: 'sandbox-fast', stream: true, messages: [message()] }),
    ],
    counted: 'gateway_provider_attempts_total',
  }),
  'image-svc': async (gateway) => ({
    asks: [() => post(gateway, '/v1/images/generations', { model: 'sandbox-image', prompt: newPrompt() })],
    counted: 'gateway_images_total',
  }),
  'catalog-svc': async (gateway) => ({
    asks: [() => get(gateway, '/v1/models')],
    counted: 'gateway_model_lists_total',
  }),
  'mcp-svc': async (gateway) => ({
    asks: [
      () => post(gateway, '/mcp', rpc('tools/call', { name: 'list-models', arguments: {} })),
      () => post(gateway, '/mcp', rpc('tools/list')),
    ],
    counted: 'gateway_mcp_tool_duration_seconds_count',
  }),
  'auth-svc': async (gateway) => {
    const owner = await signedIn(visitorsOf(gateway));
    return {
      asks: [await refreshing(gateway), () => manage(owner, '/api/v1/keys')],
      counted: 'gateway_oauth_events_total{event="token_issued"}',
    };
  },
  'ledger-svc': async (gateway) => ({
    asks: [() => post(gateway, '/v1/chat/completions', { model: 'sandbox-fast', messages: [message()] })],
    counted: 'gateway_usage_records_total{result="written"}',
  }),
  'console-svc': async (gateway) => {
    const owner = await signedIn(visitorsOf(gateway));
    return {
      asks: ['overview', 'keys', 'models'].map((page) => () => open(owner, `/dashboard/default/${page}`)),
      counted: 'gateway_page_duration_seconds_count',
    };
  },
};

let prompts = 0;
const newPrompt = (): string => `[words:5] ${prompts++}`;
const message = () => ({ role: 'user', content: newPrompt() });
const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });

const visitorsOf = ({ baseUrl }: Gateway) => ({ baseUrl, owner: () => createPerson(baseUrl) });

/** An OAuth client that refreshes its token with each request. */
async function refreshing(gateway: Gateway): Promise<Ask> {
  const client = await plainClient(visitorsOf(gateway));
  const { code, verifier } = await client.code();
  const redirect_uri = String(client.client['redirect_uris']);
  let { body } = await client.token({ grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri });
  return async () => {
    const answer = await client.token({ grant_type: 'refresh_token', refresh_token: String(body['refresh_token']) });
    if (answer.status !== 200) throw new Error(`/oauth/token: ${answer.status} ${JSON.stringify(answer.body)}`);
    ({ body } = answer);
  };
}

async function manage(person: Person, path: string): Promise<void> {
  const { status, body } = await person.call('GET', path);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body).slice(0, 300)}`);
}

async function open(person: Person, path: string): Promise<void> {
  const { status, url, text } = await person.open(path);
  if (status !== 200 || !url.endsWith(path))
    throw new Error(`${path}: ${status} at ${url} ${/<title>([^<]*)/.exec(text)?.[1]}`);
}

const get = (gateway: Gateway, path: string): Promise<void> => ask(gateway, path, { method: 'GET' });

const post = (gateway: Gateway, path: string, body: object): Promise<void> =>
  ask(gateway, path, { method: 'POST', body: JSON.stringify(body) });

async function ask({ baseUrl, apiKey }: Gateway, path: string, init: RequestInit): Promise<void> {
  const response = await fetch(baseUrl + path, {
    ...init,
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
  });
  const text = await response.text();
  if (response.status !== 200 || /"(error|isError)":/.test(text))
    throw new Error(`${path}: ${response.status} ${text.slice(0, 300).trim()}`);
}
