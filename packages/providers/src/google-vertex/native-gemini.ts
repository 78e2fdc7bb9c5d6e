import type { Offer } from '@tallyport/contracts';
import { editMembers, type NativeRequest } from '@tallyport/wire';
import { vertexCounting } from '../google/counting.ts';
import { nativeGemini } from '../google/native.ts';
import type { NativeFormat } from '../spec/provider.ts';
import { items, members } from '../read.ts';

interface VertexGemini {
  path(modelName: string): string;
  serves(offer: Offer): boolean;
}

/** Requests of clients of the Gemini API, for Google's own models on Vertex AI. Only the address names the model. */
export function vertexGemini({ path, serves }: VertexGemini): NativeFormat {
  const gemini = nativeGemini(path);
  return {
    ...gemini,
    counting: vertexCounting(path),
    serves,
    fits: (request, offer) => hasRoles(request) && gemini.fits(request, offer),
    request: (call, offer) =>
      gemini.request({ ...call, body: editMembers(call.body, { removed: new Set(['model']), added: {} }) }, offer),
  };
}

/** Unlike the Gemini API, Vertex AI refuses contents without a role. */
const hasRoles = ({ members: { contents } }: NativeRequest): boolean =>
  items(contents).every((content) => members(content).role != null);
