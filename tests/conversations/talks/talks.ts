import type { ClientApi } from '../apis/client-apis.ts';
import { chatTalk, onlyOpenAiMembers } from './chat-talk.ts';
import { geminiTalk } from './gemini-talk.ts';
import { interactionsTalk } from './interactions-talk.ts';
import { messagesTalk } from './messages-talk.ts';
import { responsesTalk } from './responses-talk.ts';
import type { Talk, TalkTerms } from './talk.ts';

/** The clients of each API: those of chat completions differ in what they keep of an answer. */
export const talks = {
  chat: [(terms) => chatTalk(terms, (message) => message), (terms) => chatTalk(terms, onlyOpenAiMembers)],
  messages: [messagesTalk],
  responses: [responsesTalk],
  gemini: [geminiTalk],
  interactions: [interactionsTalk],
} satisfies Record<ClientApi, readonly ((terms: TalkTerms) => Talk)[]>;

/**
 * Three questions with calls of tools in each, with something beside the results of two of them. `before` runs before each
 * request; its step is the number of results so far.
 */
export async function threeQuestions(
  talk: Talk,
  canSee: boolean,
  before: (question: number, step: number) => void,
): Promise<void> {
  const besides = [undefined, 'text', canSee ? 'picture' : 'text'] as const;
  for (const [index, beside] of besides.entries()) {
    before(index, 0);
    let { calls, text } = await talk.ask(`Question ${index}: the weather? [reasoning]`);
    if (calls.length === 0) throw new Error(`Question ${index} led to no call: ${text}`);
    // A model may call again when something stands beside the results.
    for (let step = 0; calls.length > 0 && step < 4; step += 1) {
      const result = { text: `Rain ${index}.${step}. [reasoning]`, beside: step === 0 ? beside : undefined };
      before(index, step + 1);
      ({ calls, text } = await talk.answer(calls, result));
    }
    if (!text.includes(`Rain ${index}.`)) throw new Error(`Question ${index} was answered without its result: ${text}`);
  }
}
