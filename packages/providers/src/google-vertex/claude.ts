import { anthropic } from '../anthropic/chat.ts';
import { anthropicError } from '../anthropic/error.ts';
import { claudeNames } from '../anthropic/names.ts';
import { toMessagesRequest, unsupportedByAnthropic } from '../anthropic/request.ts';
import { anthropicCompletion } from '../anthropic/response.ts';
import { createAnthropicStream } from '../anthropic/stream.ts';
import { unfetchedFile } from '../conversation/file-addresses.ts';
import { unsupportedCapability } from '../conversation/unsupported.ts';
import type { ChatProvider } from '../spec/provider.ts';
import { withAcceptedNames } from '../tool-names/with-accepted-names.ts';
import { claudeCounting } from './claude-counting.ts';

export const claudeVersion = 'vertex-2023-10-16';

export const claudePath = (modelName: string, stream: boolean): string =>
  `/publishers/anthropic/models/${encodeURIComponent(modelName)}:${stream ? 'streamRawPredict' : 'rawPredict'}`;

/**
 * Anthropic's models on Vertex AI: Anthropic's format, but with the model in the path and the version in the body. No
 * cloud fetches documents for them.
 */
export const claudeOn = (providerId: string): ChatProvider => withAcceptedNames(messagesOn(providerId), claudeNames);

const messagesOn = (providerId: string): ChatProvider => ({
  ...anthropic,
  id: providerId,
  counting: claudeCounting,
  unsupported: (call, offer) => unfetchedFile(call.request) ?? unsupportedByAnthropic(call, offer),
  request(call, offer) {
    const file = unfetchedFile(call.request);
    if (file !== undefined) throw unsupportedCapability(offer, file);
    const { model, ...body } = toMessagesRequest(call, offer);
    return {
      method: 'POST',
      path: claudePath(model, call.stream),
      headers: { 'content-type': 'application/json', accept: call.stream ? 'text/event-stream' : 'application/json' },
      body: JSON.stringify({ anthropic_version: claudeVersion, ...body }),
    };
  },
  response: (body, context) => anthropicCompletion(body, { ...context, providerId }),
  stream: (context) => createAnthropicStream({ ...context, providerId }),
  error: (status, headers, body) => anthropicError({ providerId, status, headers, body }),
});
