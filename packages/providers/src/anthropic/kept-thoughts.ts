import type { Offer } from '@tallyport/contracts';
import { type ChatMessage, type ChatRequest, createDetailFold } from '@tallyport/wire';
import { isCaller } from '../conversation/calls.ts';
import type { AssistantMessage } from '../conversation/conversation.ts';
import { longestPiece } from '../fold/reasoning-details.ts';
import type { AnswerFollower } from '../one-choice.ts';
import { type CallSignatures, detailsName, type PlacedName } from '../spec/call-signatures.ts';
import type { CallSignatureRules, TranslationContext } from '../spec/provider.ts';
import { items, members, text } from '../read.ts';
import { claudeDetails } from './details.ts';

/**
 * How a host of Claude keeps its thinking. Claude requires it back, signed, with the calls it led to, and OpenAI's clients
 * do not send it. `thinks`: whether the model may think in a request.
 */
export function thoughtRules(thinks: (request: ChatRequest, offer: Offer) => boolean): ThoughtRules {
  const fromThinking: ThoughtRules['fromThinking'] = ({ request }, offer) =>
    (request.tools?.length ?? 0) > 0 && thinks(request, offer);
  return {
    missingIn: (request, offer) => (thinks(request, offer) ? missingThoughts(request) : []),
    fromThinking,
    follow: (context) =>
      context.keepSignature !== undefined && fromThinking(context.call, context.offer)
        ? createGrowingThoughts(context)
        : undefined,
  };
}

interface ThoughtRules extends Required<CallSignatureRules> {
  /** Remembers the thinking of an answer, if it may have any. */
  follow(context: TranslationContext): AnswerFollower | undefined;
}

const missingThoughts = ({ messages }: ChatRequest): PlacedName[] =>
  messages.flatMap((message, place) =>
    isCaller(message) && isBare(message) ? [{ place, name: nameOf(message) }] : [],
  );

const nameOf = ({ tool_calls: calls }: AssistantMessage): string => detailsName(calls?.[0]?.id ?? '');

/** The request with remembered thinking; the same object if there is none to add. */
export function withKeptThoughts(request: ChatRequest, kept: CallSignatures | undefined): ChatRequest {
  if (kept === undefined || kept.size === 0) return request;
  const messages = request.messages.map((message, place) => {
    const details = isCaller(message) && isBare(message) ? kept.get(place, nameOf(message)) : undefined;
    if (details === undefined) return message;
    // The details hold the text, so the client's own copy of it must not be compared with them.
    const { reasoning_content: _text, reasoning: _copy, ...rest } = message;
    const foreign = items(message.reasoning_details).filter((detail) => !claudeDetails.has(members(detail)));
    return { ...rest, reasoning_details: [...foreign, ...items(JSON.parse(details))] };
  });
  return { ...request, messages };
}

/** Whether the message may have no whole thinking of Claude's: a signature may have lost its text, or a part of it. */
const isBare = (message: ChatMessage): boolean =>
  !items(message.reasoning_details)
    .map(members)
    .some((detail) => claudeDetails.has(detail) && detail.signature !== undefined && isWhole(detail.text));

const isWhole = (thinking: unknown): boolean => (text(thinking)?.length ?? 0) > longestPiece;

function createGrowingThoughts({ keepSignature }: TranslationContext): AnswerFollower {
  const details = createDetailFold();
  let firstCall: string | undefined;
  return {
    add({ reasoning_details: pieces, tool_calls: calls }) {
      for (const piece of items(pieces)) details.add(piece);
      firstCall ??= calls?.[0]?.id;
    },
    keep() {
      const whole = details.whole();
      if (firstCall === undefined || whole.length === 0) return;
      keepSignature?.(detailsName(firstCall), JSON.stringify(whole));
    },
  };
}
