import type { GatewayError } from '@switchyard/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answered, type ChatBench, eventsIn, startChatBench } from './testing/chat-bench.ts';

/** What a client gets. `moved`: a good answer from the next provider · `served`: from the first one, in spite of the fault. */
type Expected =
  | 'served'
  | 'moved'
  /** The caller's own fault, told as the provider told it. */
  | { refused: number; code: string }
  /** No provider left. */
  | { failed: 502 | 504; code: string; kind: string }
  /** Content came and then this error, without `[DONE]`. */
  | { brokenOff: string };

interface Case {
  fault: string;
  /** With other providers to go to. */
  plain: Expected;
  stream: Expected;
  /** With `X-No-Fallback`; where it differs. */
  plainAlone: Expected;
  streamAlone: Expected;
  /** It only shows when waiting has an end. */
  waits?: true;
}

const always = (fault: string, expected: Expected): Case => ({
  fault,
  plain: expected,
  stream: expected,
  plainAlone: expected,
  streamAlone: expected,
});
const codeOf = { 502: 'all_providers_failed', 504: 'upstream_timeout' };
/** Before content: the next provider answers; alone it fails. */
const movable = (fault: string, kind: string, status: 502 | 504 = 502, code = codeOf[status]): Case => ({
  fault,
  plain: 'moved',
  stream: 'moved',
  plainAlone: { failed: status, code, kind },
  streamAlone: { failed: status, code, kind },
});
/** A key or an account of ours that the provider refuses. */
const refused = (fault: string, kind: string): Case => movable(fault, kind, 502, 'upstream_auth');

const cases: readonly Case[] = [
  always('status:400', { refused: 400, code: 'invalid_parameters' }),
  refused('status:401', 'provider_auth_failed'),
  refused('status:402', 'provider_billing'),
  refused('status:403', 'provider_auth_failed'),
  movable('status:404', 'provider_model_not_found'),
  movable('status:408', 'provider_timeout', 504),
  always('status:413', { refused: 413, code: 'request_too_large' }),
  always('status:422', { refused: 422, code: 'invalid_parameters' }),
  movable('status:429', 'provider_rate_limited'),
  movable('status:429;retry-after=2', 'provider_rate_limited'),
  movable('status:500', 'provider_server_error'),
  movable('status:503;body=html', 'provider_overloaded'),
  movable('status:529', 'provider_overloaded'),
  movable('reset', 'provider_connection_failed'),
  { ...movable('hang', 'provider_timeout', 504), waits: true },
  { ...movable('heartbeat-only', 'provider_timeout', 504), waits: true },
  movable('cut-after-headers', 'provider_truncated'),
  movable('cut:100', 'provider_truncated'),
  movable('error-in-200', 'provider_bad_response'),
  movable('gzip-mislabelled', 'provider_bad_response'),
  {
    ...movable('cut:1200', 'provider_truncated'),
    stream: { brokenOff: 'stream_truncated' },
    streamAlone: { brokenOff: 'stream_truncated' },
  },
  {
    ...movable('endless', 'provider_bad_response'),
    stream: { brokenOff: 'upstream_error' },
    streamAlone: { brokenOff: 'upstream_error' },
  },
  {
    ...movable('malformed-line', 'provider_bad_response'),
    stream: 'served',
    streamAlone: 'served',
  },
  {
    ...always('error-mid-stream:3', { brokenOff: 'upstream_error' }),
    plain: 'served',
    plainAlone: 'served',
  },
  always('slow-first-byte:20', 'served'),
  always('gzip', 'served'),
  always('no-done', 'served'),
  always('no-usage', 'served'),
  always('crlf', 'served'),
];

/** Two, so that a busy machine is not taken for a slow provider where nothing is about time. */
let patient: ChatBench;
let hasty: ChatBench;
beforeAll(async () => {
  const environment = { UPSTREAM_MAX_RESPONSE_BYTES: '1048576' };
  const short = {
    UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '200',
    UPSTREAM_IDLE_TIMEOUT_MS: '200',
    UPSTREAM_PLAIN_TIMEOUT_MS: '300',
  };
  patient = await startChatBench({ environment });
  hasty = await startChatBench({ environment: { ...environment, ...short } });
});
afterAll(() => Promise.all([patient.close(), hasty.close()]));

describe.each(cases)('$fault', ({ fault, waits, ...expected }) => {
  test.each([
    ['in one piece', { stream: false, alone: false }, expected.plain],
    ['streamed', { stream: true, alone: false }, expected.stream],
    ['in one piece, no fallback', { stream: false, alone: true }, expected.plainAlone],
    ['streamed, no fallback', { stream: true, alone: true }, expected.streamAlone],
  ] as const)('%s', async (_name, { stream, alone }, wanted) => {
    const bench = waits === true ? hasty : patient;
    bench.simulator.reset();
    bench.simulator.faults.set({ provider: bench.providers[0] ?? '', fault });
    const messages = [{ role: 'user', content: 'Hello there' }];
    const headers: Record<string, string> = alone ? { 'x-no-fallback': 'true' } : {};
    const answer = await bench.ask({ model: 'sandbox-chat', messages, stream }, { headers });
    expect(summaryOf(answer, stream)).toEqual(wanted);
    expect(bench.simulator.requests).toHaveLength(wanted === 'moved' ? 2 : 1);
  });
});

/** An answer in the words of the table. */
function summaryOf({ error, headers, text }: Answered, stream: boolean): Expected | string {
  if (error !== undefined) return summaryOfError(error);
  const events = stream ? eventsIn(text) : [text, '[DONE]'];
  const last = events.pop() ?? '';
  if (last !== '[DONE]') return { brokenOff: JSON.parse(last).error.code };
  const finish = JSON.parse(events.pop() ?? '');
  if (finish.choices[0].finish_reason !== 'stop') return 'unfinished';
  return headers['x-switchyard-provider'] === patient.providers[0] ? 'served' : 'moved';
}

function summaryOfError({ status, code, attempts }: GatewayError): Expected | string {
  if (attempts === undefined) return { refused: status, code };
  return status === 502 || status === 504 ? { failed: status, code, kind: attempts[0]?.kind ?? '' } : code;
}
