import type { ChatMessage, ChatRequest } from '@tallyport/wire';
import type { CallSignatures, TranslationContext } from '../provider.ts';

type Assistant = Extract<ChatMessage, { role: 'assistant' }>;

/**
 * Some vendors require the thinking of a tool loop back, but OpenAI's clients do not send it. It is remembered under
 * the id of the message's first call.
 */
export const thinkingRules = { missingIn: callsWithoutThinking, fromThinking: true } as const;

/** Whether thinking of this turn is lost. The vendor then has to continue without thinking. */
export const lacksThinking = ({ request }: { request: ChatRequest }): boolean =>
  callsWithoutThinking(request).length > 0;

/** The request with remembered thinking added; the same object if there is none to add. */
export function withKeptThinking(request: ChatRequest, kept: CallSignatures | undefined): ChatRequest {
  if (kept === undefined || kept.size === 0) return request;
  const begin = turnOf(request);
  const messages = request.messages.map((message, place) => {
    const thinking = place > begin && isWithoutThinking(message) ? kept.get(firstCall(message)) : undefined;
    return thinking === undefined ? message : { ...message, reasoning_content: thinking };
  });
  return { ...request, messages };
}

/** The thinking that led to calls, of one complete choice. */
export interface CallThinking {
  /** Id of the first call. */
  callId: string | undefined;
  thinking: string | undefined;
}

export function keepThinking({ callId, thinking }: CallThinking, context: TranslationContext): void {
  if (callId !== undefined && thinking) context.keepSignature?.(callId, thinking);
}

/** Only requests with tools can result in calls whose thinking must be remembered. */
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
