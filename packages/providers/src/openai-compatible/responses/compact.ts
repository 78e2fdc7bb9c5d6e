import { replaceMembers } from '@tallyport/wire';
import type { OpenAiVendor } from '../vendor.ts';
import type { NativeFormat } from '../../spec/provider.ts';
import { isMembers } from '../../read.ts';
import { readResponse } from './answer.ts';
import { createResponsesReader } from './stream.ts';

/** Requests that compact a conversation: its answer replaces the conversation, and only its vendor can read it. */
export const nativeCompact = (vendor: OpenAiVendor): NativeFormat => ({
  fits: () => true,
  request: ({ body, headers }, { modelName }) => ({
    method: 'POST',
    path: '/responses/compact',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: replaceMembers(body, [{ path: ['model'], value: JSON.stringify(modelName) }]),
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
