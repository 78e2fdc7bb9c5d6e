import type { ExchangeHandler } from '@tallyport/bus';
import { geminiErrors } from '@tallyport/contracts';
import { geminiEmbeddingNames, isGeminiEmbedding, readGeminiEmbedding } from '@tallyport/dialects';
import { type AskedRouting, openAiAnswerForm } from '@tallyport/serving';
import { VectorReader } from '@tallyport/wire';
import type { CallApi } from '../calls/call-endpoint.ts';
import { inOwnWords, clientRefusal } from './own-words.ts';
import { type DialectTools, readRequest, translatedExchange } from './speak-dialect.ts';

export interface GeminiEmbedTools extends Pick<DialectTools, 'budget' | 'maxBodyBytes'> {
  /** Embeddings whose answers another API writes. */
  embedIn(api: CallApi): ExchangeHandler;
}

/** Google's methods for embeddings become requests of `POST /v1/embeddings`; all others are left to `generate`. */
export const withGeminiEmbeddings =
  (generate: ExchangeHandler, { embedIn, ...tools }: GeminiEmbedTools): ExchangeHandler =>
  async (exchange) => {
    const { path = '', requestId } = exchange.head;
    if (!isGeminiEmbedding(path)) return generate(exchange);
    const arrived = await readRequest(exchange, tools);
    const { request, answer } = readGeminiEmbedding(arrived);
    const words = { memberNames: geminiEmbeddingNames, body: arrived.body };
    const embed = embedIn({
      name: `gemini embeddings ${path}`,
      form: {
        ...openAiAnswerForm,
        whole: (document) => answer(vectorsIn(document.slices())),
        refusal: clientRefusal(geminiErrors, words, requestId),
      },
    });
    const routed = { ...request, ...routingOf(request.model, arrived) };
    return inOwnWords(embed(translatedExchange(exchange, Buffer.from(JSON.stringify(routed)))), words);
  };

/** What the body said about routing, for the reader of the translated one. */
const routingOf = (model: string, { standIns, preferences }: AskedRouting) => ({
  ...(standIns && { models: [model, ...standIns] }),
  ...(preferences && { provider: preferences }),
});

/** Numbers are never parsed, so the document has them as bytes. */
function vectorsIn(slices: readonly Buffer[]) {
  const reader = new VectorReader();
  for (const slice of slices) reader.push(slice);
  return reader.end();
}
