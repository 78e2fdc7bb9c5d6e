import { geminiErrorBody } from '@tallyport/contracts';
import type { ChatChunk, ChunkChoice, Usage } from '@tallyport/wire';
import type { DialectStream } from '../dialect.ts';
import { type AnswerTerms, answerWith } from './answer.ts';
import { createGrowingCandidate, type GrowingCandidate } from './growing-candidate.ts';
import { toGeminiUsage } from './usage.ts';

/** The pieces of one answer. The last one has the calls, the reason of the end and the usage. */
export function createGenerateContentStream(terms: AnswerTerms): DialectStream {
  const candidates = new Map<number, GrowingCandidate>();
  let usage: Usage | undefined;
  let model: string | undefined;

  function candidateOf(index: number): GrowingCandidate {
    const candidate = candidates.get(index) ?? createGrowingCandidate(index, terms.includeThoughts);
    candidates.set(index, candidate);
    return candidate;
  }

  const addedTo = (choice: ChunkChoice) => candidateOf(choice.index).add(choice) ?? [];

  return {
    chunk(chunk: ChatChunk) {
      usage = chunk.usage ?? usage;
      model = chunk.model;
      const added = chunk.choices.flatMap(addedTo);
      return added.length === 0 ? [] : [{ data: answerWith(added, { ...terms, model }) }];
    },
    end() {
      const last = [...candidates.values()].map((candidate) => candidate.end());
      return [{ data: answerWith(last, { ...terms, model }, usage && { usageMetadata: toGeminiUsage(usage) }) }];
    },
    fail: (error) => [{ data: geminiErrorBody(error) }],
  };
}
