import type { GatewayError, Offer, OwnModality } from '@tallyport/contracts';
import type { SocketMessage } from '@tallyport/wire';
import type { ResponseHeaders } from '../faults/retry-after.ts';
import type { DecisionCall, DecisionsAnswer } from './decision-call.ts';
import type { EmbeddingCall, EmbeddingLimits, EmbeddingsAnswer } from './embedding-call.ts';
import type { ModerationCall, ModerationsAnswer } from './moderation-call.ts';
import type { RealtimeApi, RealtimeCall } from './realtime-call.ts';
import type { RerankAnswer, RerankCall } from './rerank-call.ts';
import type { SpeechCall, SpeechEnding } from './speech-call.ts';
import type { Transcript, TranscriptEnding, TranscriptionCall } from './transcription-call.ts';
import type { SlicedRequest, UpstreamRequest } from './upstream-request.ts';

/** A vendor's embeddings API as pure functions. */
export interface EmbeddingsFormat {
  limits(offer: Offer): EmbeddingLimits;
  /** The first member that the model cannot honour; such a request is refused. */
  unsupported(call: EmbeddingCall, offer: Offer): string | undefined;
  request(call: EmbeddingCall, offer: Offer): UpstreamRequest;
  /** Reads an answer with a success status. Throws a fault of the provider unless there is a vector for each input. */
  response(body: unknown, call: EmbeddingCall, headers: ResponseHeaders): EmbeddingsAnswer;
  /** True if vectors of this call are not of length 1, as every other vendor's are, and must be scaled. */
  unscaled?(call: EmbeddingCall, offer: Offer): boolean;
}

/** A vendor's moderations API as pure functions. */
export interface ModerationsFormat {
  /** The first member that the model cannot honour; such a request is refused. */
  unsupported(call: ModerationCall, offer: Offer): string | undefined;
  request(call: ModerationCall, offer: Offer): UpstreamRequest;
  /** Reads an answer with a success status. Throws a fault of the provider unless there is a result for each item. */
  response(body: unknown, call: ModerationCall): ModerationsAnswer;
}

/** A vendor's decisions API as pure functions. */
export interface DecisionsFormat {
  /** The first member that the model cannot honour; such a request is refused. */
  unsupported(call: DecisionCall, offer: Offer): string | undefined;
  request(call: DecisionCall, offer: Offer): UpstreamRequest;
  /** Reads an answer with a success status. Throws a fault of the provider unless every question is answered. */
  response(body: unknown, call: DecisionCall): DecisionsAnswer;
}

/** A vendor's reranking API as pure functions. */
export interface RerankFormat {
  /** The most documents of a call. */
  readonly mostDocuments: number;
  /** The first member that the model cannot honour; such a request is refused. */
  unsupported(call: RerankCall, offer: Offer): string | undefined;
  request(call: RerankCall, offer: Offer): UpstreamRequest;
  /** Reads an answer with a success status. Throws a fault of the provider unless there is a result for each document. */
  response(body: unknown, call: RerankCall): RerankAnswer;
}

/** A vendor's speech API as pure functions. Its answer is passed through as bytes. */
export interface SpeechFormat {
  /** The first member that the model cannot honour; such a request is refused. */
  unsupported(call: SpeechCall, offer: Offer): string | undefined;
  request(call: SpeechCall, offer: Offer): UpstreamRequest;
  /** The error in a document that was sent with a success status in place of audio, if there is one. */
  fault(body: unknown): GatewayError | undefined;
  /** Reads an event of an answer with `stream_format: sse`: `undefined` unless it is the last one. */
  ending(event: unknown): SpeechEnding | undefined;
}

/** A vendor's transcriptions and translations as pure functions. */
export interface TranscriptionsFormat {
  /** The first member that the model cannot honour; such a request is refused. */
  unsupported(call: TranscriptionCall, offer: Offer): string | undefined;
  request(call: TranscriptionCall, offer: Offer): SlicedRequest;
  /** Reads a whole answer with a success status. Throws a fault of the provider unless it is a transcript. */
  response(body: Uint8Array, call: TranscriptionCall): Transcript;
  /** The error in a document that was sent with a success status in place of events, if there is one. */
  fault(body: unknown): GatewayError | undefined;
  /** Reads an event of a streamed answer: `undefined` unless it is the last one. */
  ending(event: unknown): TranscriptEnding | undefined;
}

/** A vendor's realtime sessions as pure functions. Messages are passed on unchanged. */
export interface RealtimeFormat {
  readonly api: RealtimeApi;
  /** The request that opens the socket. */
  request(call: RealtimeCall, offer: Offer): UpstreamRequest;
  /** The message that the vendor waits for; absent if its own message is the first one. */
  opening?(call: RealtimeCall, offer: Offer): Buffer | undefined;
  /** The error that the vendor's first message or its close frame is, as an answer over HTTP; `undefined` if it is none. */
  refusal(first: SocketMessage): RefusedSession | undefined;
}

interface RefusedSession {
  status: number;
  body: unknown;
}

/** The APIs of a vendor with models of their own. One is absent if the vendor lacks it, or it is not supported. */
export interface CallFormats extends Partial<Record<OwnModality, unknown>> {
  readonly decisions?: DecisionsFormat;
  readonly embeddings?: EmbeddingsFormat;
  readonly moderations?: ModerationsFormat;
  readonly rankings?: RerankFormat;
  readonly realtime?: RealtimeFormat;
  readonly speech?: SpeechFormat;
  readonly transcriptions?: TranscriptionsFormat;
}
