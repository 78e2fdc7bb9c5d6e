import type { Offer } from '@tallyport/contracts';
import type { ChatMessage } from '@tallyport/wire';

/**
 * This vendor takes earlier thinking only in the content, as its models write it: gpt-oss as plain text, the others
 * between tags. It refuses a member for it.
 */
export function withThinkingInContent(message: ChatMessage, { modelName }: Offer): ChatMessage {
  if (message.role !== 'assistant' || message.reasoning_content == null) return message;
  const { reasoning_content: thinking, ...rest } = message;
  const written = modelName.startsWith('gpt-oss') ? thinking : `<think>${thinking}</think>`;
  const { content } = message;
  return {
    ...rest,
    content: Array.isArray(content) ? [{ type: 'text', text: written }, ...content] : written + (content ?? ''),
  };
}
