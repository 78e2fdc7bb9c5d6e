import type { TranslationContext } from '../provider.ts';

/** What answers are translated with; the id is for messages. */
export interface AnswerContext extends TranslationContext {
  providerId: string;
}
