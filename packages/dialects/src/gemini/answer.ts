import type { Annotation, ChatCompletion, CompletionChoice, CompletionMessage, FinishReason } from '@tallyport/wire';
import { lastParts, saidParts } from './answer-parts.ts';
import type { GenerateContentAnswer, GeminiAnswerPart, GeminiCandidate } from './answer-types.ts';
import { toLogprobsResult } from './logprobs.ts';
import { toGeminiUsage } from './usage.ts';

/** What the answer to one request is called, and what of it the client wants to see. */
export interface AnswerTerms {
  id: string;
  /** As the client named it. */
  model: string;
  includeThoughts: boolean;
}

export function toGeminiAnswer({ choices, usage }: ChatCompletion, terms: AnswerTerms): GenerateContentAnswer {
  return answerWith(
    choices.map((choice) => toCandidate(choice, terms)),
    terms,
    usage && { usageMetadata: toGeminiUsage(usage) },
  );
}

export const answerWith = (
  candidates: GeminiCandidate[],
  { id, model }: AnswerTerms,
  usage?: Pick<GenerateContentAnswer, 'usageMetadata'>,
): GenerateContentAnswer => ({ candidates, modelVersion: model, responseId: id, ...usage });

function toCandidate(choice: CompletionChoice, { includeThoughts }: AnswerTerms): GeminiCandidate {
  const { index, message, finish_reason: reason, logprobs } = choice;
  const said = includeThoughts ? message : { ...message, reasoning_content: '' };
  return {
    ...candidateWith(index, withRefusal([...saidParts(said), ...lastParts(message)], message.refusal)),
    ...candidateEnd(reason, message.annotations),
    ...toLogprobsResult(logprobs),
  };
}

/** A refusal is the answer where nothing else is. */
export const withRefusal = (
  parts: GeminiAnswerPart[],
  refusal: CompletionMessage['refusal'] | undefined,
): GeminiAnswerPart[] => (parts.length === 0 && refusal ? [{ text: refusal }] : parts);

export const candidateWith = (index: number, parts: GeminiAnswerPart[]): GeminiCandidate => ({
  content: { role: 'model', parts },
  index,
});

export function candidateEnd(
  reason: FinishReason | null,
  annotations: readonly Annotation[] = [],
): Pick<GeminiCandidate, 'finishReason' | 'groundingMetadata'> {
  const groundingChunks = annotations.map(({ url_citation: { url, title } }) => ({ web: { uri: url, title } }));
  return {
    finishReason: finishReasonOf(reason),
    ...(groundingChunks.length > 0 && { groundingMetadata: { groundingChunks } }),
  };
}

/** Calls end an answer with STOP in this API. */
function finishReasonOf(reason: FinishReason | null): NonNullable<GeminiCandidate['finishReason']> {
  if (reason === 'length') return 'MAX_TOKENS';
  return reason === 'content_filter' ? 'SAFETY' : 'STOP';
}
