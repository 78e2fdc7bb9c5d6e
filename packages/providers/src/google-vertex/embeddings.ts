import type { Offer } from '@tallyport/contracts';
import type { EmbeddingCall } from '../spec/embedding-call.ts';
import { vectorsIn } from '../embeddings/vectors-in.ts';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import { taskTypes, unsupportedByGoogle } from '../google/embeddings.ts';
import { geminiFault } from '../google/error.ts';
import { posted } from '../images/image-family.ts';
import type { EmbeddingsFormat } from '../spec/call-formats.ts';
import type { UpstreamRequest } from '../spec/upstream-request.ts';
import { finiteNumber, isMembers, items, type Members, members } from '../read.ts';

/** Models that embed one text per call. */
const singly = /^gemini-embedding/;
/** Models with `embedContent`; all others have `predict`. */
const embedsContent = /^gemini-embedding-[2-9]/;

/** Embeddings of Google's own models. Texts are never truncated in silence. */
export const vertexEmbeddings = (id: string, path: (modelName: string) => string): EmbeddingsFormat => ({
  limits: ({ modelName }) =>
    singly.test(modelName) ? { inputs: 1, tokens: Infinity } : { inputs: 250, tokens: 20_000 },
  unsupported: unsupportedByGoogle,
  request: (call, offer) => requestOf(call, offer, path(offer.modelName)),
  response(body, { inputs }) {
    if (!isMembers(body)) throw unreadableAnswer(id, 'The answer is not a JSON object.');
    const fault = geminiFault(body, id);
    if (fault !== undefined) throw fault;
    const { found, counts } = body.embedding === undefined ? predictionsIn(body) : embeddingIn(body);
    const vectors = vectorsIn(found, inputs.length, id);
    return { vectors, ...(counts.every((count) => count !== undefined) && { promptTokens: sum(counts) }) };
  },
  // Only whole vectors have length 1.
  unscaled: ({ dimensions }) => dimensions !== undefined,
});

function requestOf(
  { inputs, dimensions, inputType }: EmbeddingCall,
  { modelName }: Offer,
  path: string,
): UpstreamRequest {
  const settings = { ...(dimensions !== undefined && { outputDimensionality: dimensions }), autoTruncate: false };
  if (embedsContent.test(modelName)) {
    const content = { parts: inputs.map((text) => ({ text })) };
    return posted(`${path}:embedContent`, { content, embedContentConfig: settings });
  }
  const instances = inputs.map((content) => ({ content, ...(inputType && { task_type: taskTypes[inputType] }) }));
  return posted(`${path}:predict`, { instances, parameters: settings });
}

interface Found {
  found: readonly unknown[];
  counts: readonly (number | undefined)[];
}

function predictionsIn({ predictions }: Members): Found {
  const read = items(predictions).map((prediction) => members(members(prediction).embeddings));
  return {
    found: read.map(({ values }) => values),
    counts: read.map(({ statistics }) => finiteNumber(members(statistics).token_count)),
  };
}

const embeddingIn = ({ embedding, usageMetadata }: Members): Found => ({
  found: [members(embedding).values],
  counts: [finiteNumber(members(usageMetadata).promptTokenCount)],
});

const sum = (counts: readonly (number | undefined)[]): number =>
  counts.reduce<number>((total, count = 0) => total + count, 0);
