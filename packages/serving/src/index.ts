export type { CacheTerms } from './cache/index.ts';
export { AnswerMemory } from './answer/answer-memory.ts';
export { jsonHeaders, servedHeaders, type Timing } from './answer/headers.ts';
export { hitHeaders, offerOf } from './answer/hit.ts';
export { metadataOf, type ServedRequest, servedModel } from './answer/served-request.ts';
export { slicedAnswer } from './answer/sliced.ts';
export { withCleanup } from './answer/with-cleanup.ts';
export { type ByteBudget, createByteBudget, type Lease } from './byte-budget.ts';
export { imagesCounter } from './events/images-counter.ts';
export { type BegunRequest, type RequestEvents, requestEvents, type EndpointEvents } from './events/request-events.ts';
export { type GuardrailTools, openGuardrails } from './guardrails/open-guardrails.ts';
export { modelIn } from './guardrails/guard-request.ts';
export { type GuardedExchange, guardPart, guardTexts } from './guardrails/guard-texts.ts';
export { redactByRules } from './guardrails/rules/redact-by-rules.ts';
export { RuleThreads } from './guardrails/rules/rule-threads.ts';
export { exchangeWithBody } from './guardrails/exchange-with-body.ts';
export { type ContentLog, openContentLog } from './content/content-log.ts';
export type * from './content-reader.ts';
export { type ServingConfig, servingConfig } from './config.ts';
export type {
  BytesAnswer,
  PaidAnswer,
  PaidEndpoint,
  PaidEvents,
  PaidRequest,
  RequestDraft,
  RequestLife,
  StreamedAnswer,
  WholeAnswer,
} from './paid-request.ts';
export { openServing, type Serving, type ServingNeeds } from './open-serving.ts';
export { servePaid, type ServingTools } from './serve-paid.ts';
export { type Life, openLife } from './life.ts';
export { type ApiForm, openAiAnswerForm, type StreamForm } from './stream/api-form.ts';
export { eventSource } from './stream/event-source.ts';
export { streamAnswer } from './stream/stream-answer.ts';
export { type ByteSource, StreamBody, type StreamSource } from './stream/stream-body.ts';
