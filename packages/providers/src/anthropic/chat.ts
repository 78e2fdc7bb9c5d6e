import { claudeMarking } from '../cache-marks/cache-marking.ts';
import type { ChatProvider } from '../spec/provider.ts';
import { anthropicAddress } from './address.ts';
import { anthropicBatches } from './batches.ts';
import { imageTypes } from './content.ts';
import { messagesCounting } from './counting.ts';
import { anthropicError } from './error.ts';
import { withAcceptedNames } from '../tool-names/with-accepted-names.ts';
import { claudeNames } from './names.ts';
import { nativeMessages } from './native.ts';
import { anthropicVersion } from './native-fit.ts';
import { anthropicRequest, unsupportedByAnthropic } from './request.ts';
import { anthropicCompletion } from './response.ts';
import { createAnthropicStream } from './stream.ts';
import { claudeThoughts } from './thinking.ts';

const { id } = anthropicAddress;

/** Anthropic's Messages API. */
const messagesApi: ChatProvider = {
  ...anthropicAddress,
  dialect: 'anthropic',
  members: ['top_k'],
  auth: { kind: 'header', name: 'x-api-key' },
  keyCheck: { kind: 'request', path: '/models', headers: { 'anthropic-version': anthropicVersion } },
  framing: 'sse',
  textDeltasAreIndependent: true,
  images: 'url',
  imageLimits: { count: 100, bytes: 5 * 1024 * 1024, totalBytes: 32 * 1024 * 1024, mediaTypes: imageTypes },
  maxChoices: 1,
  batches: anthropicBatches,
  counting: messagesCounting,
  native: { 'anthropic-messages': nativeMessages },
  callSignatures: claudeThoughts,
  cacheMarking: claudeMarking,
  unsupported: unsupportedByAnthropic,
  request: anthropicRequest,
  response: (body, context) => anthropicCompletion(body, { ...context, providerId: id }),
  stream: (context) => createAnthropicStream({ ...context, providerId: id }),
  error: (status, headers, body) => anthropicError({ providerId: id, status, headers, body }),
};

export const anthropic = withAcceptedNames(messagesApi, claudeNames);
