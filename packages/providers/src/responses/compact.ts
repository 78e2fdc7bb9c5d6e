import type { ChatCompletion } from '@tallyport/wire';
import { replaceMembers } from '@tallyport/wire';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import { faultIn } from '../openai-compatible/error.ts';
import type { OpenAiVendor } from '../openai-compatible/vendor.ts';
import type { NativeFormat, TranslationContext } from '../provider.ts';
import { isMembers } from '../read.ts';
import { createResponsesReader } from './stream.ts';
import { usageOfResponse } from './usage.ts';

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
    response: (body, context) => readCompaction(body, vendor, context),
    // The API has no streams.
    stream: (context) => createResponsesReader(vendor, context),
  },
  answerModel: ['model'],
  eventModel: () => undefined,
  openings: new Set(),
});

/** Only the usage matters: everything else is sealed, or the client's own. */
function readCompaction(
  body: unknown,
  vendor: OpenAiVendor,
  { completionId, created, offer }: TranslationContext,
): ChatCompletion {
  const fault = isMembers(body) ? faultIn(body, vendor) : undefined;
  if (fault !== undefined) throw fault;
  if (!isMembers(body) || !Array.isArray(body.output)) {
    throw unreadableAnswer(vendor.id, 'The compacted conversation has no output.');
  }
  const usage = usageOfResponse(body);
  return {
    id: completionId,
    object: 'chat.completion',
    created,
    model: offer.modelName,
    choices: [
      { index: 0, message: { role: 'assistant', content: '', refusal: null }, logprobs: null, finish_reason: 'stop' },
    ],
    ...(usage && { usage }),
  };
}
