import type { TranslationContext } from '../provider.ts';
import type { Quirks } from './quirks.ts';

/** Who is being translated: the id is for messages, the quirks for differences. */
export interface OpenAiVendor {
  id: string;
  quirks: Quirks;
}

export interface AnswerContext extends TranslationContext {
  vendor: OpenAiVendor;
}
