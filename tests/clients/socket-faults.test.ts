import { createSseDecoder } from '@tallyport/wire';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { forgetfulRouting } from '../../packages/serving/src/upstreams/testing/index.ts';
import { type Expectation, faultCases } from '../../services/chat-svc/src/testing/dialect-fault-cases.ts';
import { connectSocket } from '../../services/edge/src/testing/socket-client.ts';
import { type Rig, startRig } from './rig.ts';

/** The column of sockets in the fault matrix of `services/chat-svc/src/dialects`: a socket says what HTTP says. */
let rig: Rig;
beforeAll(async () => {
  // Short enough for the vendors that do not answer, and long enough for a busy machine.
  const timeouts = { UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '8000', UPSTREAM_IDLE_TIMEOUT_MS: '8000' };
  rig = await startRig({ further: () => ({ ...forgetfulRouting, ...timeouts }) });
});
afterEach(() => rig.simulator.reset());
afterAll(() => rig?.stop());

const models = {
  openai: 'openai/gpt-6-luna',
  anthropic: 'anthropic/claude-haiku-4-5',
  google: 'google/gemini-3-flash-preview',
  groq: 'groq/gpt-oss-120b',
};

interface Answer {
  /** Of a refusal. */
  status?: number;
  retryAfter?: unknown;
  /** The events, or the error of a refusal. */
  documents: Document[];
}

interface Document {
  type?: string;
  [member: string]: unknown;
}

const headers = { 'x-no-fallback': 'true' };
const bodyOf = (model: string) => ({ model, input: 'Hello there', store: false });

async function overHttp(model: string): Promise<Answer> {
  const { gateway } = rig;
  const response = await fetch(`${gateway.baseUrl}/v1/responses`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...bodyOf(model), stream: true }),
  });
  const { status } = response;
  if (status !== 200) {
    const { error } = (await response.json()) as { error: Document };
    return { status, retryAfter: response.headers.get('retry-after') ?? undefined, documents: [error] };
  }
  const frames = createSseDecoder({ maxFrameBytes: 1024 ** 2 }).push(new Uint8Array(await response.arrayBuffer()));
  return { documents: frames.map(({ data }) => JSON.parse(data.toString()) as Document) };
}

async function overSocket(model: string): Promise<Answer> {
  const { gateway } = rig;
  const socket = await connectSocket(gateway.baseUrl, '/v1/responses', { key: gateway.apiKey, headers });
  try {
    socket.send({ type: 'response.create', ...bodyOf(model) });
    const documents: Document[] = [];
    do documents.push({ ...(await socket.next()) });
    while (!ends.has(documents.at(-1)?.type ?? ''));
    const [first] = documents;
    if (first?.type !== 'error') return { documents };
    const { status, error } = first as unknown as { status: number; error: { headers: Record<string, string> } };
    const { headers: named, ...rest } = error;
    return { status, retryAfter: named['retry-after'], documents: [rest] };
  } finally {
    socket.webSocket.terminate();
  }
}

const ends: ReadonlySet<string> = new Set(['response.completed', 'response.failed', 'response.incomplete', 'error']);

/** Without ids and times, which differ with each response. */
const comparable = (answer: Answer): Answer =>
  JSON.parse(
    JSON.stringify(answer, (name, value: unknown) => (/(^|_)id$|_at$|^obfuscation$/.test(name) ? undefined : value)),
  );

/** How an answer ends that the matrix expects. */
function endIn(expectation: Expectation): unknown {
  if (expectation === 'whole') return 'response.completed';
  return 'refused' in expectation ? expectation.refused.status : 'response.failed';
}

test.each(faultCases)('$fault is the same on a socket as over HTTP', async ({ fault, stream, waits }) => {
  for (const provider of Object.keys(models)) rig.simulator.faults.set({ provider, fault });
  const answers = await Promise.all(
    Object.values(models).map(async (model) => Promise.all([overSocket(model), overHttp(model)])),
  );
  for (const [onSocket, onHttp] of answers) {
    expect(comparable(onSocket)).toEqual(comparable(onHttp));
    const end = onSocket.status ?? onSocket.documents.at(-1)?.type;
    // A vendor that waits may have begun to answer.
    expect([endIn(stream), ...(waits ? ['response.failed'] : [])]).toContain(end);
  }
});
