import type { Auth, ChatProvider } from '../provider.ts';
import { geminiError } from './error.ts';
import { toGenerateContentRequest, unsupportedByGemini } from './request.ts';
import { geminiCompletion } from './response.ts';
import { missingSignatures } from './signatures.ts';
import { createGeminiStream } from './stream.ts';

export interface GeminiOptions {
  id: string;
  baseUrl: string;
  keyVariable: string;
  auth: Auth;
  /** What precedes `:generateContent`, for one model. */
  path(modelName: string): string;
}

const megabyte = 1024 * 1024;

/** The generateContent API, wherever it is reached. */
export function gemini({ id, baseUrl, keyVariable, auth, path }: GeminiOptions): ChatProvider {
  return {
    id,
    dialect: 'google',
    baseUrl,
    keyVariable,
    auth,
    framing: 'sse',
    // Every piece counts the tokens so far, and citations count the text.
    textDeltasAreIndependent: false,
    images: 'inline',
    imageLimits: {
      count: 100,
      bytes: 15 * megabyte,
      totalBytes: 15 * megabyte,
      mediaTypes: ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'],
    },
    maxChoices: 1,
    callSignatures: { missingIn: missingSignatures },
    unsupported: unsupportedByGemini,
    request: (call, offer) => ({
      method: 'POST',
      path: `${path(offer.modelName)}:${call.stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      headers: { 'content-type': 'application/json', accept: call.stream ? 'text/event-stream' : 'application/json' },
      body: JSON.stringify(toGenerateContentRequest(call, offer)),
    }),
    response: (body, context) => geminiCompletion(body, { ...context, providerId: id }),
    stream: (context) => createGeminiStream({ ...context, providerId: id }),
    error: (status, headers, body) => geminiError({ providerId: id, status, headers, body }),
  };
}
