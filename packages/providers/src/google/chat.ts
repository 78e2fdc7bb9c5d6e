import { geminiBatches } from './batches.ts';
import { gemini } from './gemini.ts';

/** Google's Gemini API. */
export const google = gemini({
  id: 'google',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  keyVariable: 'GEMINI',
  sdkAddsVersion: true,
  auth: { kind: 'header', name: 'x-goog-api-key' },
  batches: geminiBatches,
  embeddings: true,
  live: true,
  native: true,
  tierHeader: 'x-gemini-service-tier',
  path: (modelName) => `/models/${encodeURIComponent(modelName)}`,
});
