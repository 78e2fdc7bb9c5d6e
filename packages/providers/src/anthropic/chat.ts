import type { ChatProvider } from '../provider.ts';
import { imageTypes } from './content.ts';
import { readError } from './error.ts';
import { toUpstreamRequest, unsupportedIn } from './request.ts';
import { toCompletion } from './response.ts';
import { createStreamTranslator } from './stream.ts';

const id = 'anthropic';

/** Anthropic's Messages API. */
export const anthropic: ChatProvider = {
  id,
  dialect: 'anthropic',
  baseUrl: 'https://api.anthropic.com/v1',
  keyVariable: 'ANTHROPIC',
  auth: { kind: 'header', name: 'x-api-key' },
  framing: 'sse',
  textDeltasAreIndependent: true,
  images: 'url',
  imageLimits: { count: 100, bytes: 5 * 1024 * 1024, totalBytes: 32 * 1024 * 1024, mediaTypes: imageTypes },
  maxChoices: 1,
  unsupported: unsupportedIn,
  request: toUpstreamRequest,
  response: (body, context) => toCompletion(body, { ...context, providerId: id }),
  stream: (context) => createStreamTranslator({ ...context, providerId: id }),
  error: (status, headers, body) => readError({ providerId: id, status, headers, body }),
};
