import type { ChatMessage, ChatRequest } from '@switchyard/wire';
import type { CallSignatures, TranslationContext } from '../provider.ts';

type Assistant = Extract<ChatMessage, { role: 'assistant' }>;

/**
 * Vendors that want the thinking of a loop of calls back get it although OpenAI's clients send none: it is kept by the
 * first call of its message.
 */
export const thinkingRules = { missingIn: callsWithoutThinking, fromThinking: true } as const;

/** Whether thinking of this turn was lost: a vendor that misses it had better not think on. */
export const lacksThinking = ({ request }: { request: ChatRequest }): boolean =>
  callsWithoutThinking(request).length > 0;

/** The request with the thinking that was kept; the same object where there is none to put back. */
export function withKeptThinking(request: ChatRequest, kept: CallSignatures | undefined): ChatRequest {
  if (kept === undefined || kept.size === 0) return request;
  const begin = turnOf(request);
  const messages = request.messages.map((message, place) => {
    const thinking = place > begin && isWithoutThinking(message) ? kept.get(firstCall(message)) : undefined;
    return thinking === undefined ? message : { ...message, reasoning_content: thinking };
  });
  return { ...request, messages };
}

/** What led to calls, in one whole choice. */
export interface CallThinking {
  /** Of the first call. */
  callId: string | undefined;
  thinking: string | undefined;
}

export function keepThinking({ callId, thinking }: CallThinking, context: TranslationContext): void {
  if (callId !== undefined && thinking) context.keepSignature?.(callId, thinking);
}

/** Only requests with tools bring calls whose thinking must be remembered. */
export const mayCall = ({ tools }: ChatRequest): boolean => (tools?.length ?? 0) > 0;

function callsWithoutThinking(request: ChatRequest): string[] {
  return request.messages
    .slice(turnOf(request) + 1)
    .filter(isWithoutThinking)
    .map(firstCall);
}

const turnOf = ({ messages }: ChatRequest): number => messages.findLastIndex(({ role }) => role === 'user');

const isWithoutThinking = (message: ChatMessage): message is Assistant =>
  message.role === 'assistant' && (message.tool_calls?.length ?? 0) > 0 && !message.reasoning_content;

const firstCall = ({ tool_calls: calls }: Assistant): string => calls?.[0]?.id ?? '';
