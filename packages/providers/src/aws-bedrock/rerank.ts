import { unreadableAnswer } from '../faults/broken-answer.ts';
import { posted } from '../images/image-family.ts';
import { isMembers, items } from '../read.ts';
import { rankedIn } from '../rerank/ranked.ts';
import { unsupportedBy } from '../rerank/own-members.ts';
import type { RerankFormat } from '../spec/call-formats.ts';

const ofCohere = /(^|\.)cohere\./;

/** Invoking a model directly: Amazon's and Cohere's. It counts nothing. */
export const bedrockRerank = (id: string): RerankFormat => ({
  mostDocuments: 1_000,
  unsupported: (call) => unsupportedBy([], call),
  request: ({ query, documents, most }, { modelName }) =>
    posted(`/model/${encodeURIComponent(modelName)}/invoke`, {
      query,
      documents,
      ...(most !== undefined && { top_n: most }),
      ...(ofCohere.test(modelName) && { api_version: 2 }),
    }),
  response(body, call) {
    if (!isMembers(body)) throw unreadableAnswer(id, 'The answer is not a JSON object.');
    return { results: rankedIn(items(body.results), call, id) };
  },
});
