import type { Body, ExchangeHandler } from '@tallyport/bus';
import { geminiErrors } from '@tallyport/contracts';
import { geminiEmbeddingNames, isGeminiEmbedding, readGeminiEmbedding } from '@tallyport/dialects';
import { slicedAnswer } from '@tallyport/serving';
import { type DocumentWithVectors, VectorReader } from '@tallyport/wire';
import { inOwnWords } from './own-words.ts';
import { type DialectTools, readRequest, refusal, translatedExchange } from './speak-dialect.ts';

export interface GeminiEmbedTools extends Pick<DialectTools, 'budget' | 'maxBodyBytes'> {
  /** `POST /v1/embeddings`. */
  embed: ExchangeHandler;
}

/** Google's methods for embeddings become requests of `POST /v1/embeddings`; all others are left to `generate`. */
export const withGeminiEmbeddings =
  (generate: ExchangeHandler, { embed, ...tools }: GeminiEmbedTools): ExchangeHandler =>
  async (exchange) => {
    if (!isGeminiEmbedding(exchange.head.path ?? '')) return generate(exchange);
    const arrived = await readRequest(exchange, tools);
    const { request, answer } = readGeminiEmbedding(arrived);
    const words = { memberNames: geminiEmbeddingNames, body: arrived.body };
    const sent = Buffer.from(JSON.stringify(request));
    const embedded = await inOwnWords(embed(translatedExchange(exchange, sent)), words);
    if (embedded.head.status !== 200) return refusal({ ...words, errors: geminiErrors }, exchange.head, embedded);
    return slicedAnswer(embedded.head, answer(await documentOf(embedded.body)));
  };

async function documentOf(body: Body): Promise<DocumentWithVectors> {
  const reader = new VectorReader();
  for await (const piece of body instanceof Uint8Array ? [body] : body) {
    reader.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
  }
  return reader.end();
}
