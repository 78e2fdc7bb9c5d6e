import { modelList, providerPreferences } from '@tallyport/wire';
import { z } from 'zod';
import type { RequestHeader } from './description.ts';

/** What a body says about routing. It is read before the body is checked, and no vendor gets it. */
export const routingMembers = {
  models: modelList
    .nullish()
    .describe('The models that may answer, the preferred one first; `model` may be absent then.'),
  provider: providerPreferences.nullish().describe('What the offer that serves the request must be like.'),
};

/** The same in a form. */
export const routingFields = {
  models: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('The models that may answer: one field for each, or a list in JSON; `model` may be absent then.'),
  provider: z.string().optional().describe('JSON: what the offer that serves the request must be like.'),
};

/** The headers that say the same. */
export const routingHeaders: readonly RequestHeader[] = ['X-Fallback-Models', 'X-Provider-Preferences'];
