import { unreadableAnswer } from '../faults/broken-answer.ts';
import { type OwnMember, unsupportedBy, usualMostDocuments } from '../rerank/own-members.ts';
import { posted } from '../images/image-family.ts';
import { finiteNumber, isMembers, items, type Members, members, text } from '../read.ts';
import type { RerankFormat } from '../spec/call-formats.ts';
import type { RerankAnswer, RerankCall } from '../spec/rerank-call.ts';
import { rankedIn } from '../rerank/ranked.ts';
import { faultIn } from './error.ts';
import type { OpenAiVendor } from './vendor.ts';

/** How a vendor deviates from the format that Cohere, Jina, Voyage and servers of open models share. */
export interface RerankOptions {
  /** Defaults to `/rerank`. */
  path?: string;
  /** Its name for the number of results; defaults to `top_n`. */
  most?: 'top_k' | 'top_n';
  accepts?: readonly OwnMember[];
  /** The vendor repeats documents unless it is asked not to; the gateway has them. */
  repeats?: true;
  mostDocuments?: number;
}

export function rerankFormat(vendor: OpenAiVendor, options: RerankOptions): RerankFormat {
  const { path = '/rerank', mostDocuments = usualMostDocuments } = options;
  return {
    mostDocuments,
    unsupported: (call) => unsupportedBy(options.accepts, call),
    request: (call, { modelName }) => posted(path, { model: modelName, ...bodyOf(call, options) }),
    response(body, call) {
      if (!isMembers(body)) throw unreadableAnswer(vendor.id, 'The answer is not a JSON object.');
      const fault = faultIn(body, vendor);
      if (fault !== undefined) throw fault;
      return { results: rankedIn(items(body.results ?? body.data), call, vendor.id), ...factsIn(body) };
    },
  };
}

const bodyOf = (
  { query, documents, most, truncation, tokensPerDocument, priority }: RerankCall,
  { most: name = 'top_n', accepts = [], repeats }: RerankOptions,
): object => ({
  query,
  documents,
  ...(most !== undefined && { [name]: most }),
  ...(repeats && { return_documents: false }),
  ...(truncation !== undefined && accepts.includes('truncation') && { truncation }),
  ...(tokensPerDocument !== undefined && { max_tokens_per_doc: tokensPerDocument }),
  ...(priority !== undefined && { priority }),
});

/** Tokens or search units, by what the vendor bills. */
function factsIn({ id, usage, meta }: Members): Omit<RerankAnswer, 'results'> {
  const tokens = finiteNumber(members(usage).total_tokens);
  const searchUnits = finiteNumber(members(members(meta).billed_units).search_units);
  const named = text(id);
  return {
    ...(named !== undefined && { id: named }),
    ...(tokens !== undefined && { tokens }),
    ...(searchUnits !== undefined && { searchUnits }),
  };
}
