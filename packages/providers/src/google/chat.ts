import { gemini } from './gemini.ts';

/** Google's Gemini API. */
export const google = gemini({
  id: 'google',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  keyVariable: 'GEMINI',
  auth: { kind: 'header', name: 'x-goog-api-key' },
  path: (modelName) => `/models/${encodeURIComponent(modelName)}`,
});
