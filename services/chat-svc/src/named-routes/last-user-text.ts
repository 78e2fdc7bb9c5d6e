import type { ChatRequest } from '@tallyport/wire';

/** The text of the last message of the user that has one; empty if none has. */
export function lastUserText({ messages }: ChatRequest): string {
  for (const { role, content } of messages.toReversed()) {
    const text = role === 'user' ? textOf(content) : '';
    if (text !== '') return text;
  }
  return '';
}

const textOf = (content: ChatRequest['messages'][number]['content']): string => {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
};
