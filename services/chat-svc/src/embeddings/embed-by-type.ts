import type { ServedEmbeddings } from '@tallyport/dispatch';
import { checkedRequest, embedByTypeRequest } from '@tallyport/endpoints';
import type { EmbeddingCall } from '@tallyport/providers';
import { metadataOf, servedModel, type ServedRequest } from '@tallyport/serving';
import type { AnswerDocument } from '@tallyport/wire';
import { promptUsageOf } from '../calls/prompt-usage.ts';
import { wrongMember } from '../wrong-member.ts';
import { writtenVectors } from './written-vectors.ts';

/** Checks a request of Cohere's API. Throws `invalid_parameters` with the path of the member. */
export function asEmbedByTypeRequest(value: unknown): { model: string; call: EmbeddingCall } {
  const { model, texts, inputs, input_type: inputType, ...rest } = checkedRequest(embedByTypeRequest, value);
  const { output_dimension: dimensions, embedding_types: types, truncate } = rest;
  if ((texts == null) === (inputs == null)) throw wrongMember('texts', 'must be there, or `inputs`, but not both');
  const [type = 'float'] = types ?? [];
  const call = {
    inputs: texts ?? (inputs ?? []).flatMap(({ content }) => content.map(({ text }) => text)),
    encoding: 'float' as const,
    ...(inputType != null && { inputType }),
    ...(dimensions != null && { dimensions }),
    ...(type !== 'float' && { vectorType: type }),
    ...(truncate === 'END' && { truncation: true as const }),
  };
  return { model, call };
}

/** Before the vectors, and in no string. */
export const vectorsByType = ',"embeddings":{';

export const embeddingsByType = (
  served: ServedRequest,
  { answer, usage, routing }: ServedEmbeddings,
  { inputs, vectorType }: EmbeddingCall,
): Promise<AnswerDocument> => {
  const head = {
    id: `embed-${served.head.requestId}`,
    response_type: 'embeddings_by_type',
    model: servedModel(served),
    texts: inputs,
    meta: { api_version: { version: '2' }, billed_units: { input_tokens: usage.prompt_tokens } },
    usage: promptUsageOf(usage),
    metadata: metadataOf(served, routing),
  };
  const [start, end] = [`${vectorsByType}"${vectorType ?? 'float'}":[`, ']}}'];
  return writtenVectors(head, answer.vectors, { start, end, entry: (vector) => vector });
};
