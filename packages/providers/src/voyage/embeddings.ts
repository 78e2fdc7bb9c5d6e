import type { Offer } from '@tallyport/contracts';
import { posted } from '../images/image-family.ts';
import { openAiEmbeddings, type OpenAiEmbeddingsOptions } from '../openai-compatible/embeddings.ts';
import { isMembers, items, members } from '../read.ts';
import type { EmbeddingsFormat } from '../spec/call-formats.ts';
import type { EmbeddingCall } from '../spec/embedding-call.ts';

/** Older models and those for one field make whole vectors of floats only. */
const wholeOnly = /^voyage-(law|finance|multilingual|multimodal)-|^voyage-3(-lite)?$/;

const options: OpenAiEmbeddingsOptions = {
  limits: { inputs: 1_000, tokens: 120_000 },
  dimensions: { name: 'output_dimension', except: wholeOnly },
  inputTypes: { name: 'input_type', values: { search_document: 'document', search_query: 'query' } },
  vectorTypes: { name: 'output_dtype', values: ['int8', 'uint8', 'binary', 'ubinary'], except: wholeOnly },
  truncation: 'truncation',
};

/** Three addresses, by the kind of model, which take the same further members. */
export function voyageEmbeddings(id: string): EmbeddingsFormat {
  const texts = openAiEmbeddings({ id, quirks: {} }, options);
  return {
    ...texts,
    limits: (offer) => (isContextual(offer) ? oneCall : texts.limits(offer)),
    unsupported: (call, offer) =>
      texts.unsupported(call, offer) ?? (isContextual(offer) && call.truncation ? 'truncation' : undefined),
    request(call, offer) {
      const request = texts.request(call, offer);
      if (!isContextual(offer) && !isMultimodal(offer)) return request;
      const { input: _input, truncation, ...others } = JSON.parse(request.body);
      if (isContextual(offer)) return posted('/contextualizedembeddings', { ...others, inputs: documentsOf(call) });
      return posted('/multimodalembeddings', { ...others, truncation, inputs: call.inputs.map(withContent) });
    },
    response: (body, call, headers) => texts.response(withoutDocuments(body), call, headers),
  };
}

const isContextual = ({ modelName }: Offer): boolean => modelName.startsWith('voyage-context');
const isMultimodal = ({ modelName }: Offer): boolean => modelName.startsWith('voyage-multimodal');

/** A document that is split loses what its parts say about each other. */
const oneCall = { inputs: Infinity, tokens: Infinity };

/** The inputs of a request are the parts of one document, and each query is alone. */
const documentsOf = ({ inputs, inputType }: EmbeddingCall): unknown[] =>
  inputType === 'search_query' ? inputs.map((input) => [input]) : [inputs];

const withContent = (text: unknown): object => ({ content: [{ type: 'text', text }] });

/** The parts of all documents in order. Their numbers begin anew in each document, so they are left out. */
function withoutDocuments(body: unknown): unknown {
  if (!isMembers(body)) return body;
  const data = items(body.data).flatMap((entry) => {
    const parts = members(entry).data;
    return parts === undefined ? [entry] : items(parts).map((part) => ({ embedding: members(part).embedding }));
  });
  return { ...body, data };
}
