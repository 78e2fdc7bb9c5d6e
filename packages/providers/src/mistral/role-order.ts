import type { Offer } from '@tallyport/contracts';
import type { ChatMessage } from '@tallyport/wire';

/** Says nothing, and is not empty: an empty message is refused. */
const bridge: ChatMessage = { role: 'assistant', content: 'Understood.' };

/**
 * Messages in an order that the vendor accepts: only the model speaks behind results of tools, and instructions are at the
 * beginning or behind the user. Clients put reminders and pictures there, which keep their place and their text.
 */
export function inMistralOrder(messages: readonly ChatMessage[]): ChatMessage[] {
  const ordered: ChatMessage[] = [];
  for (const message of messages) {
    const isSaid = message.role === 'user' || message.role === 'system';
    if (isSaid && ordered.at(-1)?.role === 'tool') ordered.push(bridge);
    const isLate = message.role === 'system' && ordered.at(-1)?.role === 'assistant';
    ordered.push(isLate ? { role: 'user', content: message.content } : message);
  }
  return ordered;
}

const mistrals = /mistral|ministral|devstral|magistral|mixtral|pixtral/i;

/** The same for hosts of many models: those of this vendor check the order wherever they run. */
export const mistralsInOrder = (messages: readonly ChatMessage[], { modelName }: Offer): readonly ChatMessage[] =>
  mistrals.test(modelName) ? inMistralOrder(messages) : messages;
