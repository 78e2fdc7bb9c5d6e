import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ArmedFaults, FaultOrder } from './faults/armed.ts';
import { FaultSyntaxError } from './faults/fault.ts';
import { galleryFiles, showGallery } from './gallery/answer-gallery.ts';
import { isObject, jsonOf } from './json.ts';
import { isOwnHost, withRedactedKeys } from './control-access.ts';
import type { Recorder } from './recorder.ts';
import {
  backToPage,
  showAskScript,
  showKeyScript,
  showPage,
  showScript,
  showStyle,
  type PageResult,
} from './page/answer-page.ts';
import { readScript } from './scripts/order.ts';
import type { Scripts } from './scripts/scripts.ts';
import { receiveBody } from './request-body.ts';

interface ControlParts {
  readonly armed: ArmedFaults;
  readonly scripts: Scripts;
  readonly recorder: Recorder;
  readonly connections: () => { open: number; total: number };
  /** The address of the gateway that uses this simulator, once it is known. */
  readonly gatewayUrl: () => string | undefined;
  /** Host names besides `localhost` for these pages. */
  readonly controlHosts: readonly string[] | undefined;
}

type Result = { status: number; body?: unknown } | PageResult;

type Action = (parts: ControlParts, text: string) => Result;

/** Actions for other processes; the same process uses the `Simulator` object. */
const actions: Readonly<Record<string, Action>> = {
  'GET /control': (parts) => showPage(parts),
  'GET /control/page.css': showStyle,
  'GET /control/page.js': showScript,
  'GET /control/key.js': showKeyScript,
  'GET /control/ask.js': showAskScript,
  'GET /control/gallery': ({ gatewayUrl }) => showGallery(gatewayUrl()),
  ...galleryFiles,
  'POST /control/break': ({ armed }, text) => {
    const { provider, fault } = Object.fromEntries(new URLSearchParams(text));
    const result = setFault(armed, { provider, fault });
    return result.status === 201 ? backToPage : result;
  },
  'POST /control/heal': ({ armed, scripts }, text) => {
    const provider = new URLSearchParams(text).get('provider') ?? undefined;
    armed.clear(provider);
    scripts.clear(provider);
    return backToPage;
  },
  'GET /control/state': ({ armed, scripts, recorder, connections }) => ({
    status: 200,
    body: { faults: armed.list(), scripts: scripts.list(), requests: recorder.counts, connections: connections() },
  }),
  'POST /control/faults': ({ armed }, text) => setFault(armed, jsonOf(text)),
  'DELETE /control/faults': ({ armed }) => {
    armed.clear();
    return { status: 204 };
  },
  'GET /control/scripts': ({ scripts }) => ({ status: 200, body: { scripts: scripts.list() } }),
  'POST /control/scripts': ({ scripts }, text) => {
    const order = readScript(jsonOf(text));
    if (typeof order === 'string') return wrong(400, order);
    scripts.set(order);
    return { status: 201, body: order };
  },
  'DELETE /control/scripts': ({ scripts }) => {
    scripts.clear();
    return { status: 204 };
  },
  'GET /control/requests': ({ recorder }) => ({
    status: 200,
    body: { requests: recorder.requests.map((each) => ({ ...each, headers: withRedactedKeys(each.headers) })) },
  }),
  'DELETE /control/requests': ({ recorder }) => {
    recorder.clear();
    return { status: 204 };
  },
};

const maxBodyBytes = 64 * 1024;

/** Whether a request is for the control routes instead of a provider. */
export const isControl = (url = ''): boolean => /^\/control(?:[/?]|$)/.test(url);

/** Serves `/control` and everything below it. These requests are not recorded and faults do not apply to them. */
export async function answerControl(
  request: IncomingMessage,
  response: ServerResponse,
  parts: ControlParts,
): Promise<void> {
  const body = await receiveBody(request, maxBodyBytes);
  if (body.kind === 'aborted') return;
  const text = body.kind === 'complete' ? body.bytes.toString() : '';
  const result = act(request, parts, text);
  if ('headers' in result) {
    response.writeHead(result.status, result.headers).end(result.text);
    return;
  }
  response.writeHead(result.status, { 'content-type': 'application/json' });
  response.end(result.body === undefined ? undefined : JSON.stringify(result.body));
}

function act(request: IncomingMessage, parts: ControlParts, text: string): Result {
  if (!isOwnHost(request.headers.host, parts.controlHosts))
    return wrong(
      403,
      'Open this page at http://localhost and its port, or start the simulator with --control-host and this name.',
    );
  const action = actions[`${request.method} ${(request.url ?? '').split('?', 1)[0]}`];
  if (action === undefined) return wrong(404, `Known: ${Object.keys(actions).join(', ')}.`);
  // A page of another site must not change anything through the user's browser.
  if (request.method !== 'GET' && request.headers['sec-fetch-site'] === 'cross-site')
    return wrong(403, 'Only pages of the simulator may change its state.');
  return action(parts, text);
}

const wrong = (status: number, message: string): Result => ({ status, body: { error: { message } } });

function setFault(armed: ArmedFaults, body: unknown): Result {
  const order = readOrder(body);
  if (typeof order === 'string') return wrong(400, order);
  try {
    armed.set(order);
    return { status: 201, body: order };
  } catch (error) {
    if (error instanceof FaultSyntaxError) return wrong(400, error.message);
    throw error;
  }
}

/** The fault order, or an error message. */
function readOrder(body: unknown): FaultOrder | string {
  if (!isObject(body)) return 'The body must be JSON: {"provider"?, "model"?, "fault", "times"?}.';
  const { provider, model, fault, times } = body;
  if (typeof fault !== 'string') return "'fault' must be a string.";
  if (!isOptionalText(provider) || !isOptionalText(model)) return "'provider' and 'model' must be strings.";
  if (times !== undefined && !isCount(times)) return "'times' must be a whole number from 1.";
  return {
    fault,
    ...(provider !== undefined && { provider }),
    ...(model !== undefined && { model }),
    ...(times !== undefined && { times }),
  };
}

const isOptionalText = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string';

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 1;
