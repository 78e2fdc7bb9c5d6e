import { unreadableAnswer } from '../faults/broken-answer.ts';
import { finiteNumber, members } from '../read.ts';
import { type RerankCall, type RerankResult, wantedResultsOf } from '../spec/rerank-call.ts';

/**
 * The results of an answer, the best first: servers send them in any order, and some send all. Throws a fault of the
 * provider if one is missing, or names a document that is not in the request.
 */
export function rankedIn(entries: readonly unknown[], call: RerankCall, providerId: string): RerankResult[] {
  const results = new Map<number, RerankResult>();
  for (const entry of entries) {
    const { index, relevance_score: relevance, score } = members(entry);
    const found = { index: finiteNumber(index) ?? -1, score: finiteNumber(relevance ?? score) };
    if (found.score === undefined || call.documents[found.index] === undefined || results.has(found.index)) {
      throw unreadableAnswer(providerId, 'A result has no score, or not exactly one document.');
    }
    results.set(found.index, { index: found.index, score: found.score });
  }
  const wanted = wantedResultsOf(call);
  if (results.size < wanted) throw unreadableAnswer(providerId, `${results.size} results for ${wanted} documents`);
  return [...results.values()].toSorted((left, right) => right.score - left.score).slice(0, wanted);
}
