import type { ExchangeHandler } from '@tallyport/bus';
import { geminiErrors } from '@tallyport/contracts';
import { geminiEmbeddingNames, isGeminiEmbedding, readGeminiEmbedding } from '@tallyport/dialects';
import { openAiAnswerForm } from '@tallyport/serving';
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
    return inOwnWords(embed(translatedExchange(exchange, Buffer.from(JSON.stringify(request)))), words);
  };

/** Numbers are never parsed, so the document has them as bytes. */
function vectorsIn(slices: readonly Buffer[]) {
  const reader = new VectorReader();
  for (const slice of slices) reader.push(slice);
  return reader.end();
}
