import { expect } from 'vitest';
import { type DialectLane, secondProvider } from './dialect-lanes.ts';

/** Why a request failed, in terms of no API. */
export interface Failure {
  status: 400 | 413 | 422 | 429 | 502 | 504;
  /** The code and type in OpenAI's form. */
  code: string;
  type: string;
  /** How the only attempt failed; absent if the provider reported a fault of the caller. */
  attempt?: { status: number | null; kind: string };
  /** The gateway's own words after the provider's name; absent if the message has the vendor's. */
  says?: string;
  /** The answer has the vendor's own error although the message does not. */
  shown?: true;
  retryAfter?: number;
}

const messagesTypes = {
  400: 'invalid_request_error',
  413: 'request_too_large',
  422: 'invalid_request_error',
  429: 'rate_limit_error',
  502: 'api_error',
  504: 'timeout_error',
};
const geminiNames = {
  400: 'INVALID_ARGUMENT',
  413: 'INVALID_ARGUMENT',
  422: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  502: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};
const google = (name: string) => `type.googleapis.com/google.rpc.${name}`;

/** The body that a client of the lane's API expects before the first byte of an answer. */
export function expectedError(lane: DialectLane, failure: Failure): object {
  const { status, code, type, attempt, says, shown, retryAfter } = failure;
  const message = messageOf(lane, failure);
  if (lane.api === 'messages') {
    return { type: 'error', error: { type: messagesTypes[status], message }, request_id: 'req_test' };
  }
  if (lane.api === 'generateContent' || lane.api === 'interact') {
    const retry = { '@type': google('RetryInfo'), retryDelay: `${retryAfter}s` };
    const details = [
      ...(retryAfter === undefined ? [] : [retry]),
      { '@type': google('RequestInfo'), requestId: 'req_test' },
    ];
    return { error: { code: status, message, status: geminiNames[status], details } };
  }
  const { model } = lane;
  const tried = attempt && {
    attempts: [{ provider: lane.provider, model, ...attempt }],
    not_tried: [{ provider: secondProvider, model, reason: 'score' }],
  };
  const provider = (says === undefined || shown) && { provider: expect.objectContaining({ id: lane.provider }) };
  return { error: { message, type, param: null, code, ...tried, ...provider } };
}

interface ResponsesEvent {
  type: string;
  sequence_number: number;
  response?: object;
  item?: object;
}

/** The last document of an answer that fails after its first byte. `before` are those before it. */
export function expectedLateError(lane: DialectLane, failure: Failure, before: readonly object[]): object {
  const message = messageOf(lane, failure);
  if (lane.api === 'messages') return { type: 'error', error: { type: 'api_error', message } };
  if (lane.api === 'generateContent') return { error: { code: 502, message, status: 'UNAVAILABLE' } };
  if (lane.api === 'interact') {
    const id = lane.isNative ? {} : { event_id: String(before.length + 1) };
    return { event_type: 'error', ...id, error: { code: 'UNAVAILABLE', message } };
  }
  const events = before as ResponsesEvent[];
  const error = { code: 'server_error', message };
  const output = events.flatMap(({ type, item }) => (type === 'response.output_item.done' ? [item] : []));
  return {
    type: 'response.failed',
    sequence_number: (events.at(-1)?.sequence_number ?? -1) + 1,
    response: { ...events[0]?.response, status: 'failed', output, error, service_tier: 'default' },
  };
}

/** What a message of the lane's provider begins with, or all of it. */
function messageOf({ provider }: DialectLane, { says, attempt }: Failure): unknown {
  if (says !== undefined) return expect.stringMatching(new RegExp(`^${provider} ${says}( Check .+)?$`));
  return attempt === undefined
    ? expect.stringMatching(/./)
    : expect.stringContaining(`${provider} failed with status `);
}
