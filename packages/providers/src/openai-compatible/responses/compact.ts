import type { OpenAiVendor } from '../vendor.ts';
import type { NativeFormat } from '../../spec/provider.ts';
import { withNativeMembers } from '../../native-members.ts';
import { isMembers } from '../../read.ts';
import { readResponse } from './answer.ts';
import { createResponsesReader } from './stream.ts';

/** Requests that compact a conversation: its answer replaces the conversation, and only its vendor can read it. */
export const nativeCompact = (vendor: OpenAiVendor): NativeFormat => ({
  fits: () => true,
  request: ({ headers, ...call }, { modelName }) => ({
    method: 'POST',
    path: '/responses/compact',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: withNativeMembers(call, [
      { path: ['model'], value: JSON.stringify(modelName) },
      ...(call.standardTier ? [{ path: ['service_tier'], value: '"default"' }] : []),
    ]),
  }),
  reading: {
    response: (body, context) => readResponse(withoutOutput(body), vendor, context),
    // The API has no streams.
    stream: (context) => createResponsesReader(vendor, context),
  },
  answerModel: ['model'],
  eventModel: () => undefined,
  openings: new Set(),
});

/** Only the usage matters: everything else is sealed, or the client's own. */
const withoutOutput = (body: unknown): unknown =>
  isMembers(body) && Array.isArray(body.output) ? { ...body, output: [] } : body;
