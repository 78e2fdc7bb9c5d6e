import { cohereBody, cohereVectors, mostCohereTexts, unsupportedByCohere } from '../embeddings/cohere-embed.ts';
import { vectorsIn } from '../embeddings/vectors-in.ts';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import { posted } from '../images/image-family.ts';
import { finiteNumber, isMembers, members } from '../read.ts';
import type { EmbeddingsFormat } from '../spec/call-formats.ts';

/** `/v2/embed`: texts only. */
export const cohereEmbeddings = (id: string): EmbeddingsFormat => ({
  limits: () => ({ inputs: mostCohereTexts, tokens: Infinity }),
  unsupported: (call, { modelName }) => unsupportedByCohere(call, modelName),
  request: (call, { modelName }) => posted('/v2/embed', { model: modelName, ...cohereBody(call) }),
  response(body, call) {
    if (!isMembers(body)) throw unreadableAnswer(id, 'The answer is not a JSON object.');
    const vectors = vectorsIn(cohereVectors(body, call), call.inputs.length, id);
    const promptTokens = finiteNumber(members(members(body.meta).billed_units).input_tokens);
    return { vectors, ...(promptTokens !== undefined && { promptTokens }) };
  },
});
