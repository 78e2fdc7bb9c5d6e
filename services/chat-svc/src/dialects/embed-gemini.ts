import type { Body, ExchangeHandler } from '@tallyport/bus';
import { geminiErrors } from '@tallyport/contracts';
import { isGeminiEmbedding, readGeminiEmbedding } from '@tallyport/dialects';
import { slicedAnswer } from '@tallyport/serving';
import { type DocumentWithVectors, VectorReader } from '@tallyport/wire';
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
    const { request, answer } = readGeminiEmbedding(await readRequest(exchange, tools));
    const embedded = await embed(translatedExchange(exchange, Buffer.from(JSON.stringify(request))));
    if (embedded.head.status !== 200) return refusal({ errors: geminiErrors }, exchange.head, embedded);
    return slicedAnswer(embedded.head, answer(await documentOf(embedded.body)));
  };

async function documentOf(body: Body): Promise<DocumentWithVectors> {
  const reader = new VectorReader();
  for await (const piece of body instanceof Uint8Array ? [body] : body) {
    reader.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
  }
  return reader.end();
}
