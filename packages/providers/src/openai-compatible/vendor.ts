import type { TranslationContext } from '../spec/provider.ts';
import type { Quirks } from './quirks.ts';

/** The vendor of a translation: its id for messages, and its quirks. */
export interface OpenAiVendor {
  id: string;
  quirks: Quirks;
}

export interface AnswerContext extends TranslationContext {
  vendor: OpenAiVendor;
}
