import type { GatewayError } from '@tallyport/contracts';
import { describe, expect, test } from 'vitest';
import { eventsIn } from './testing/chat-bench.ts';
import {
  type ChatRecords,
  type FaultReport,
  estimatedFor,
  reportedBy,
  askWithFault,
  unreachable,
} from './testing/ask-with-fault.ts';

/** The client's result. `moved`: an answer of the next provider · `served`: one of the first, despite the fault. */
type Expectation =
  | 'served'
  | 'moved'
  /** The caller's fault, as the provider reported it. */
  | { refused: number; code: string }
  /** No provider is left. */
  | { failed: 429 | 502 | 504; code: string; kind: string }
  /** Content, then this error, without `[DONE]`. */
  | { brokenOff: string };

interface Case {
  fault: string;
  /** How the failed call is counted. `none`: as a success. */
  counted: string;
  /** With other providers available. */
  plain: Expectation;
  stream: Expectation;
  /** With `X-No-Fallback`, if that differs. */
  plainAlone: Expectation;
  streamAlone: Expectation;
  /** The fault shows only after a timeout. */
  waits?: true;
  /** The provider answers without usage. */
  unreported?: true;
}

const always = (fault: string, expected: Expectation, counted: string = 'none'): Case => ({
  fault,
  counted,
  plain: expected,
  stream: expected,
  plainAlone: expected,
  streamAlone: expected,
});
const codeOf = { 429: 'providers_rate_limited', 502: 'all_providers_failed', 504: 'upstream_timeout' };
/** Fails before content: the next provider answers; without another one it fails. */
const movable = (fault: string, kind: string, status: keyof typeof codeOf = 502, code = codeOf[status]): Case => ({
  fault,
  counted: kind,
  plain: 'moved',
  stream: 'moved',
  plainAlone: { failed: status, code, kind },
  streamAlone: { failed: status, code, kind },
});
/** The provider refuses our key or account. */
const refused = (fault: string, kind: string): Case => movable(fault, kind, 502, 'upstream_auth');

const cases: readonly Case[] = [
  always('status:400', { refused: 400, code: 'invalid_parameters' }, 'caller_invalid_request'),
  refused('status:401', 'provider_auth_failed'),
  refused('status:402', 'provider_billing'),
  refused('status:403', 'provider_auth_failed'),
  movable('status:404', 'provider_model_not_found'),
  movable('status:408', 'provider_timeout', 504),
  always('status:413', { refused: 413, code: 'request_too_large' }, 'caller_invalid_request'),
  always('status:422', { refused: 422, code: 'invalid_parameters' }, 'caller_invalid_request'),
  movable('status:429', 'provider_rate_limited', 429),
  movable('status:429;retry-after=2', 'provider_rate_limited', 429),
  movable('status:500', 'provider_server_error'),
  movable('status:503;body=html', 'provider_overloaded'),
  movable('status:529', 'provider_overloaded'),
  movable('refused', 'provider_connection_failed'),
  movable('tls', 'provider_connection_failed'),
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
    ...always('error-mid-stream:3', { brokenOff: 'upstream_error' }, 'provider_bad_response'),
    plain: 'served',
    plainAlone: 'served',
  },
  always('slow-first-byte:20', 'served'),
  always('gzip', 'served'),
  always('no-done', 'served'),
  { ...always('no-usage', 'served'), unreported: true },
  always('crlf', 'served'),
];

describe.each(cases)('$fault', (each) => {
  test.each([
    ['in one piece', { stream: false, alone: false }, each.plain],
    ['streamed', { stream: true, alone: false }, each.stream],
    ['in one piece, no fallback', { stream: false, alone: true }, each.plainAlone],
    ['streamed, no fallback', { stream: true, alone: true }, each.streamAlone],
  ] as const)('%s', async (_name, how, wanted) => {
    const report = await askWithFault({ fault: each.fault, hasty: each.waits === true, ...how });
    expect(summaryOf(report, how.stream)).toEqual(wanted);
    const { calls, uptime, billed } = report;
    expect({ calls, uptime, billed }).toEqual(recordsFor(each, wanted, report));
    expect(report.seen).toBe(calls.filter((call) => !call.startsWith(unreachable)).length);
  });
});

/**
 * The client's result determines what is counted and billed. A provider that fails before content counts as failed and
 * is not paid; one that breaks off later counts as failed and is paid for what it sent; a fault of the caller says
 * nothing about the provider.
 */
function recordsFor(
  { counted, unreported }: Case,
  wanted: Expectation,
  { providers, answer }: FaultReport,
): ChatRecords {
  const [first = '', second = ''] = providers;
  if (wanted === 'moved') {
    const calls = [`${first} ${counted}`, `${second} none`];
    return { calls, uptime: 0, billed: reportedBy(second, answer) };
  }
  if (wanted === 'served') {
    const billed = unreported === true ? estimatedFor(first, answer) : reportedBy(first, answer);
    return { calls: [`${first} none`], uptime: 1, billed };
  }
  const calls = [`${first} ${counted}`];
  if ('brokenOff' in wanted) return { calls, uptime: 0, billed: estimatedFor(first, answer) };
  return { calls, uptime: 'refused' in wanted ? null : 0, billed: undefined };
}

/** Describes an answer in the terms of the table. */
function summaryOf({ answer, providers }: FaultReport, stream: boolean): Expectation | string {
  const { error, headers, text } = answer;
  if (error !== undefined) return summaryOfError(error);
  const events = stream ? eventsIn(text) : [text, '[DONE]'];
  const last = events.pop() ?? '';
  if (last !== '[DONE]') return { brokenOff: JSON.parse(last).error.code };
  const finish = events.map((event) => JSON.parse(event)).findLast(({ choices }) => choices.length > 0);
  if (finish.choices[0].finish_reason !== 'stop') return 'unfinished';
  return headers['x-tallyport-provider'] === providers[0] ? 'served' : 'moved';
}

function summaryOfError({ status, code, attempts }: GatewayError): Expectation | string {
  if (attempts === undefined) return { refused: status, code };
  return status === 429 || status === 502 || status === 504
    ? { failed: status, code, kind: attempts[0]?.kind ?? '' }
    : code;
}
