import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ArmedFaults, FaultOrder } from './faults/armed.ts';
import { FaultSyntaxError } from './faults/fault.ts';
import { isObject, parseJson } from './json.ts';
import type { Recorder } from './recorder.ts';
import { readBody } from './request-body.ts';

export interface ControlParts {
  readonly armed: ArmedFaults;
  readonly recorder: Recorder;
  readonly connections: () => { open: number; total: number };
}

interface Result {
  status: number;
  body?: unknown;
}

type Action = (parts: ControlParts, text: string) => Result;

/** What another process can do; the same process uses the Simulator itself. */
const actions: Readonly<Record<string, Action>> = {
  'GET /control/state': ({ armed, recorder, connections }) => ({
    status: 200,
    body: { faults: armed.list(), requests: recorder.counts, connections: connections() },
  }),
  'POST /control/faults': ({ armed }, text) => setFault(armed, text),
  'DELETE /control/faults': ({ armed }) => {
    armed.clear();
    return { status: 204 };
  },
  'GET /control/requests': ({ recorder }) => ({ status: 200, body: { requests: recorder.requests } }),
  'DELETE /control/requests': ({ recorder }) => {
    recorder.clear();
    return { status: 204 };
  },
};

const maxBodyBytes = 64 * 1024;

/** Answers `/control/…`. These requests are not recorded and no fault strikes them. */
export async function answerControl(
  request: IncomingMessage,
  response: ServerResponse,
  parts: ControlParts,
): Promise<void> {
  const body = await readBody(request, maxBodyBytes);
  if (body.kind === 'aborted') return;
  const text = body.kind === 'complete' ? body.bytes.toString() : '';
  const action = actions[`${request.method} ${(request.url ?? '').split('?', 1)[0]}`];
  const result = action === undefined ? wrong(404, `Known: ${Object.keys(actions).join(', ')}.`) : action(parts, text);
  response.writeHead(result.status, { 'content-type': 'application/json' });
  response.end(result.body === undefined ? undefined : JSON.stringify(result.body));
}

const wrong = (status: number, message: string): Result => ({ status, body: { error: { message } } });

function setFault(armed: ArmedFaults, text: string): Result {
  const order = readOrder(parseJson(text));
  if (typeof order === 'string') return wrong(400, order);
  try {
    armed.set(order);
    return { status: 201, body: order };
  } catch (error) {
    if (error instanceof FaultSyntaxError) return wrong(400, error.message);
    throw error;
  }
}

/** The order, or what is wrong with it. */
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
