import type { Offer } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import {
  type ChatChunk,
  type ChatRequest,
  type FrameDecoder,
  createAwsEventStreamDecoder,
  createSseDecoder,
} from '@tallyport/wire';
import type { ChatCall, ChatProvider, StreamTranslator, TranslationContext } from '../spec/provider.ts';

export const vendorOffer = (provider: ChatProvider, changes: Partial<Offer> = {}): Offer =>
  offerOf(provider.id, { modelName: 'vendor-model', ...changes });

export const callOf = (request: Partial<ChatRequest> = {}, stream = true): ChatCall => ({
  request: { model: 'root-model', messages: [{ role: 'user', content: 'Hi' }], ...request },
  stream,
});

export const contextOf = (provider: ChatProvider, call = callOf()): TranslationContext => ({
  call,
  offer: vendorOffer(provider),
  completionId: 'chatcmpl-ours',
  created: 1_700_000_000,
});

/** Translates all bytes to chunks, using the decoder of the provider's framing. */
export function translate(provider: ChatProvider, bytes: readonly Uint8Array[], call = callOf()): ChatChunk[] {
  const translator = provider.stream(contextOf(provider, call));
  return [...feed(translator, bytes, provider.framing), ...translator.end()];
}

const decoders = { sse: createSseDecoder, 'aws-event-stream': createAwsEventStreamDecoder };

export const decoderOf = (framing: ChatProvider['framing']): FrameDecoder =>
  decoders[framing]({ maxFrameBytes: 1_000_000 });

export function feed(
  translator: StreamTranslator,
  bytes: readonly Uint8Array[],
  framing: ChatProvider['framing'],
): ChatChunk[] {
  const decoder = decoderOf(framing);
  const frames = [...bytes.flatMap((chunk) => decoder.push(chunk)), ...decoder.end()];
  return frames.flatMap((frame) => translator.frame(frame));
}
