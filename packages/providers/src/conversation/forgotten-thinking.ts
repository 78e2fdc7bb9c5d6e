import type { GatewayError } from '@tallyport/contracts';
import type { ChatMessage } from '@tallyport/wire';
import type { ChatCall } from '../spec/provider.ts';
import type { AssistantMessage } from './conversation.ts';

/** How vendors name what they refuse of earlier thinking. */
const named =
  /thought.?signature|signature.{0,10} in .{0,10}thinking|`?(redacted_)?thinking`? block|reasoning_content|encrypted content/i;

/**
 * Whether a vendor refuses the thinking of earlier answers, or its signatures. That depends on more than a request shows:
 * they may be valid only for one model, host or key.
 */
export const refusesThinking = ({ code, message }: GatewayError): boolean =>
  code === 'invalid_parameters' && named.test(message);

/** The call without anything that vendors added to earlier answers; `undefined` if there is nothing to leave out. */
export function forgottenThinking({ request, stream, signatures }: ChatCall): ChatCall | undefined {
  const messages = request.messages.map(bare);
  const isChanged = messages.some((message, index) => message !== request.messages[index]);
  if (!isChanged && (signatures?.size ?? 0) === 0) return undefined;
  return { request: { ...request, messages }, stream };
}

function bare(message: ChatMessage): ChatMessage {
  if (message.role !== 'assistant' || !isMarked(message)) return message;
  const {
    reasoning_content: _text,
    reasoning: _copy,
    reasoning_details: _details,
    tool_calls,
    images,
    ...rest
  } = message;
  return {
    ...rest,
    ...(tool_calls && { tool_calls: tool_calls.map(({ extra_content: _extra, ...call }) => call) }),
    ...(images && { images: images.map(({ extra_content: _extra, ...image }) => image) }),
  };
}

const isMarked = (message: AssistantMessage): boolean =>
  ['reasoning_content', 'reasoning', 'reasoning_details'].some((name) => name in message) ||
  [...(message.tool_calls ?? []), ...(message.images ?? [])].some((each) => 'extra_content' in each);
