import {
  type Annotation,
  type ChatCompletion,
  type CompletionChoice,
  type CompletionMessage,
  deltasInOrder,
  type FinishReason,
  type FunctionToolCall,
} from '@tallyport/wire';
import type { AnsweredModel } from '../answered-model.ts';
import type { GenerateContentAnswer, GeminiAnswerPart, GeminiCandidate } from './answer-types.ts';
import { createCandidateParts } from './candidate-parts.ts';
import { toLogprobsResult } from './logprobs.ts';
import { toGeminiUsage } from './usage.ts';

/** What the answer to one request is called, and what of it the client wants to see. */
export interface AnswerTerms {
  id: string;
  modelOf: AnsweredModel;
  includeThoughts: boolean;
}

export function toGeminiAnswer({ choices, usage, model }: ChatCompletion, terms: AnswerTerms): GenerateContentAnswer {
  return answerWith(
    choices.map((choice) => toCandidate(choice, terms)),
    { ...terms, model },
    usage && { usageMetadata: toGeminiUsage(usage) },
  );
}

export const answerWith = (
  candidates: GeminiCandidate[],
  { id, modelOf, model }: AnswerTerms & { model: string | undefined },
  usage?: Pick<GenerateContentAnswer, 'usageMetadata'>,
): GenerateContentAnswer => ({ candidates, modelVersion: modelOf(model), responseId: id, ...usage });

/** What the pieces of a stream amount to, so that both have the same parts in the same order. */
function toCandidate(choice: CompletionChoice, { includeThoughts }: AnswerTerms): GeminiCandidate {
  const { index, message, finish_reason: reason, logprobs } = choice;
  const writer = createCandidateParts(includeThoughts);
  const said = deltasInOrder(message, message.images ? [{ images: message.images }] : []);
  const parts = [...said.flatMap(writer.add), ...writer.end()];
  return {
    ...candidateWith(index, withRefusal(parts, message.refusal)),
    ...candidateEnd({ reason, annotations: message.annotations, malformed: writer.malformed() }),
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

interface CandidateOutcome {
  reason: FinishReason | null;
  annotations?: readonly Annotation[] | undefined;
  /** A call that has no part, because its arguments are no JSON object. */
  malformed: FunctionToolCall | undefined;
}

export function candidateEnd({
  reason,
  annotations = [],
  malformed,
}: CandidateOutcome): Pick<GeminiCandidate, 'finishReason' | 'finishMessage' | 'groundingMetadata'> {
  const groundingChunks = annotations.map(({ url_citation: { url, title } }) => ({ web: { uri: url, title } }));
  return {
    ...finishOf(reason, malformed),
    ...(groundingChunks.length > 0 && { groundingMetadata: { groundingChunks } }),
  };
}

/** Calls end an answer with STOP in this API. A call that was cut off at the token limit is left out, as Google does. */
function finishOf(
  reason: FinishReason | null,
  malformed: FunctionToolCall | undefined,
): Pick<GeminiCandidate, 'finishReason' | 'finishMessage'> {
  if (reason === 'length') return { finishReason: 'MAX_TOKENS' };
  if (reason === 'content_filter') return { finishReason: 'SAFETY' };
  if (malformed === undefined) return { finishReason: 'STOP' };
  const { name, arguments: sent } = malformed.function;
  return { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: `Malformed function call: ${name}(${sent})` };
}
