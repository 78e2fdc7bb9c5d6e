import type { BatchFormat } from '../spec/batch-format.ts';
import type { Auth, ChatProvider } from '../spec/provider.ts';
import { geminiCounting, vertexCounting } from './counting.ts';
import { geminiEmbeddings } from './embeddings.ts';
import { geminiError } from './error.ts';
import { geminiLive } from './live.ts';
import { toGenerateContentRequest, unsupportedByGemini } from './request.ts';
import { geminiCompletion } from './response.ts';
import { geminiSignatures } from './kept-signatures.ts';
import { geminiNames } from './names.ts';
import { nativeInteractions } from './interactions/native.ts';
import { nativeGemini } from './native.ts';
import { withAcceptedNames } from '../tool-names/with-accepted-names.ts';
import { createGeminiStream } from './stream.ts';

interface GeminiOptions {
  id: string;
  baseUrl: string;
  keyVariable: string;
  sdkAddsVersion?: true;
  auth: Auth;
  batches?: BatchFormat;
  /** The API has `batchEmbedContents`. */
  embeddings?: true;
  /** The API has `BidiGenerateContent`. */
  live?: true;
  /** Requests of clients of Google's own APIs may be passed on. */
  native?: true;
  tierHeader?: string;
  /** The path before `:generateContent` for one model. */
  path(modelName: string): string;
}

const megabyte = 1024 * 1024;

/** The generateContent API, on every host that serves it. */
export function gemini({
  id,
  baseUrl,
  keyVariable,
  sdkAddsVersion,
  auth,
  batches,
  embeddings,
  live,
  native,
  tierHeader,
  path,
}: GeminiOptions): ChatProvider {
  const provider: ChatProvider = {
    id,
    dialect: 'google',
    members: ['top_k'],
    baseUrl,
    keyVariable,
    ...(sdkAddsVersion && { sdkAddsVersion }),
    auth,
    keyCheck: auth.kind === 'google-service-account' ? { kind: 'token' } : { kind: 'request', path: '/models' },
    framing: 'sse',
    // Every chunk has the token counts so far, and citations depend on the whole text.
    textDeltasAreIndependent: false,
    images: 'inline',
    imageLimits: {
      count: 100,
      bytes: 15 * megabyte,
      totalBytes: 15 * megabyte,
      mediaTypes: ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'],
    },
    maxChoices: 1,
    ...(batches && { batches }),
    ...(embeddings && { embeddings: geminiEmbeddings(id, path) }),
    ...(live && { realtime: geminiLive }),
    counting: native ? geminiCounting(path) : vertexCounting(path),
    ...(native && { native: { gemini: nativeGemini(path), 'gemini-interactions': nativeInteractions(id) } }),
    callSignatures: geminiSignatures,
    ...(tierHeader !== undefined && { tierHeader }),
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
  return withAcceptedNames(provider, geminiNames);
}
