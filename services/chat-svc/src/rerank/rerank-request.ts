import { checkedRequest, mostDocuments, rerankRequest } from '@tallyport/endpoints';
import { rankingTokens } from '@tallyport/pricing';
import type { RerankCall } from '@tallyport/providers';
import type { PromptFacts } from '@tallyport/serving';
import { z } from 'zod';
import { wrongMember } from '../wrong-member.ts';

interface RerankRequest {
  model: string;
  call: RerankCall;
  /** As the client wrote it. */
  endUser: unknown;
}

/** Its documents are read by hand: there may be millions. A test holds both to the same values. */
const membersSchema = rerankRequest.extend({ documents: z.unknown() });

/** Checks a request. Throws `invalid_parameters` with the path of the member: `documents[3]`. */
export function asRerankRequest(value: unknown): RerankRequest {
  const { model, query, documents, user, ...rest } = checkedRequest(membersSchema, value);
  const { top_n: topN, top_k: topK, return_documents: returnDocuments } = rest;
  const { truncation, max_tokens_per_doc: tokensPerDocument, priority } = rest;
  if (topN != null && topK != null)
    throw wrongMember('top_k', 'is `top_n` in the words of another vendor; send one of them');
  const most = topN ?? topK;
  const call = {
    query,
    documents: documentsOf(documents),
    returnDocuments: returnDocuments ?? false,
    ...(most != null && { most }),
    ...(truncation != null && { truncation }),
    ...(tokensPerDocument != null && { tokensPerDocument }),
    ...(priority != null && { priority }),
  };
  return { model, call, endUser: user };
}

export const rerankFacts = (call: RerankCall): PromptFacts => ({
  tokens: () => rankingTokens(call),
  modalities: () => ['text'],
  beginning: () => call.query,
});

function documentsOf(documents: unknown): string[] {
  if (!Array.isArray(documents)) throw wrongMember('documents', 'must be a list of texts');
  if (documents.length === 0) throw wrongMember('documents', 'must not be empty');
  if (documents.length > mostDocuments)
    throw wrongMember('documents', `must have at most ${mostDocuments} entries; send several requests`);
  return documents.map(documentAt);
}

function documentAt(document: unknown, at: number): string {
  if (typeof document === 'string') return document;
  const { text, ...others } = Object(document) as { text?: unknown };
  if (typeof text !== 'string' || Array.isArray(document) || Object.keys(others).length > 0)
    throw wrongMember(`documents[${at}]`, 'must be text, or an object with only `text`');
  return text;
}
