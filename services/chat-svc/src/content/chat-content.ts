import type { RequestHead } from '@tallyport/contracts';
import type { ContentPiece, ContentReader } from '@tallyport/serving';
import type { ChatRequest, NativeDialect, NativeRequest } from '@tallyport/wire';
import { chatAnswer } from './chat-answer.ts';
import { chatPrompt } from './chat-prompt.ts';
import { geminiAnswer } from './gemini-answer.ts';
import { interactionsAnswer } from './interactions-answer.ts';
import { messagesAnswer } from './messages-answer.ts';
import { responsesAnswer } from './responses-answer.ts';

/** How vendors answer a request that was passed on. */
const passedAnswers = {
  'anthropic-messages': messagesAnswer,
  gemini: geminiAnswer,
  'gemini-interactions': interactionsAnswer,
  // What it holds is sealed.
  'openai-compact': () => [],
  'openai-responses': responsesAnswer,
} as const satisfies Record<NativeDialect, (document: object) => ContentPiece[]>;

/** Reads the content of a chat in any API; `undefined` if its account keeps none. */
export function chatContent(
  { principal }: RequestHead,
  request: ChatRequest,
  native: NativeRequest | undefined,
): ContentReader | undefined {
  if (principal?.contentLog === undefined) return undefined;
  return {
    prompt: () => chatPrompt(request),
    answer: (document) => chatAnswer(document) ?? (native ? passedAnswers[native.dialect](document) : []),
  };
}
