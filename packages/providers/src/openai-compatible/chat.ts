import type { Auth, ChatProvider, ImageLimits } from '../provider.ts';
import { openAiError } from './error.ts';
import type { Quirks } from './quirks.ts';
import { openAiRequest, unsupportedByVendor } from './request.ts';
import { openAiCompletion } from './response.ts';
import { createOpenAiStream } from './stream.ts';
import { thinkingRules } from './thinking-memory.ts';

export interface OpenAiCompatibleOptions {
  id: string;
  baseUrl: string;
  keyVariable: string;
  /** Bearer unless told. */
  auth?: Auth;
  /** `/chat/completions` unless told; follows the base URL. */
  path?: string;
  /** `url` unless told. */
  images?: 'url' | 'inline';
  imageLimits?: Partial<ImageLimits>;
  /** As many as the format knows unless told. */
  maxChoices?: number;
  quirks?: Quirks;
}

const usualImageLimits: ImageLimits = {
  count: 500,
  bytes: 20 * 1024 * 1024,
  totalBytes: 50 * 1024 * 1024,
  mediaTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
};

/** A vendor of OpenAI's chat format. */
export function openAiCompatible(options: OpenAiCompatibleOptions): ChatProvider {
  const { id, baseUrl, keyVariable, auth = { kind: 'bearer' }, path = '/chat/completions', quirks = {} } = options;
  const vendor = { id, quirks };
  return {
    id,
    dialect: 'openai',
    baseUrl,
    keyVariable,
    auth,
    framing: 'sse',
    // Tags inside the text are read with a memory of what came before.
    textDeltasAreIndependent: quirks.thinking !== 'tags',
    images: options.images ?? 'url',
    imageLimits: { ...usualImageLimits, ...options.imageLimits },
    maxChoices: options.maxChoices ?? 128,
    ...(quirks.thinkingWithCalls === true && { callSignatures: thinkingRules }),
    unsupported: (call, offer) => unsupportedByVendor(quirks, call, offer),
    request: (call, offer) => openAiRequest({ call, offer, path, vendor }),
    response: (body, context) => openAiCompletion(body, { ...context, vendor }),
    stream: (context) => createOpenAiStream({ ...context, vendor }),
    error: (status, headers, body) => openAiError({ status, headers, body, vendor }),
  };
}
