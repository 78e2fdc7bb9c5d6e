import { unreadableAnswer } from '../faults/broken-answer.ts';
import { posted } from '../images/image-family.ts';
import type { RerankFormat } from '../spec/call-formats.ts';
import { rankedIn } from './ranked.ts';
import { unsupportedBy, usualMostDocuments } from './own-members.ts';

/** Text Embeddings Inference: it ranks all texts with the model it was started with, and counts nothing. */
export const teiRerank = (id: string): RerankFormat => ({
  mostDocuments: usualMostDocuments,
  unsupported: (call) => unsupportedBy(['truncation'], call),
  request: ({ query, documents, truncation }) =>
    posted('/rerank', { query, texts: documents, ...(truncation !== undefined && { truncate: truncation }) }),
  response(body, call) {
    if (!Array.isArray(body)) throw unreadableAnswer(id, 'The answer is not a list.');
    return { results: rankedIn(body, call, id) };
  },
});
