import { randomUUID } from 'node:crypto';
import type { IncomingExchange } from '@tallyport/bus';
import { endUserOf, type Finding, type RequestHead, toGatewayError, type UsageOperation } from '@tallyport/contracts';
import { type TextRules, createTally } from '@tallyport/guardrails';
import type { Metering } from '../metering/index.ts';
import { type BodyBounds, holdBody } from '../replay/index.ts';
import { parseExactJson, parseJsonBody } from '@tallyport/wire';
import { unlessDismissed } from '../still-wanted.ts';
import { exchangeWithBody } from './exchange-with-body.ts';
import type { LifeStep } from '../life-step.ts';
import { inspectDocument } from './inspect-document.ts';
import type { GuardrailTools } from './open-guardrails.ts';

interface RequestGuarding {
  tools: GuardrailTools;
  metering: Pick<Metering, 'refused'>;
  bounds: BodyBounds;
  /** What the record of a blocked request is about; absent if it costs nothing and leaves none. */
  operation?: UsageOperation | undefined;
  /** Reads the end user where the API has another member for it than OpenAI's. */
  endUserIn?: EndUserReader | undefined;
}

export type EndUserReader = (request: object) => string | undefined;

/**
 * A request is read only after the caller's rules: a blocked request is refused before anything is planned, and a redacted
 * one has placeholders wherever its body is read or passed on. Forms are left to their readers. Without rules, the
 * exchange goes on as it arrived.
 */
export const guardRequest =
  (guarding: RequestGuarding): LifeStep =>
  (next) =>
  (exchange) => {
    const rules = guarding.tools.of(exchange.head.principal)?.request;
    if (rules === undefined || isForm(exchange)) return next(exchange);
    return guardedExchange(exchange, rules, guarding).then(next);
  };

const isForm = ({ head }: IncomingExchange): boolean => /^multipart\//i.test(head.headers['content-type'] ?? '');

/** The body is written anew: a vendor might read another one of two members with the same name than was inspected. */
async function guardedExchange(
  exchange: IncomingExchange,
  rules: TextRules,
  guarding: RequestGuarding,
): Promise<IncomingExchange> {
  const { head } = exchange;
  const held = await holdBody(exchange, guarding.bounds);
  const tally = createTally();
  try {
    const { buffer, byteOffset, byteLength } = held.body;
    const read = parseJsonBody([Buffer.from(buffer, byteOffset, byteLength)], randomUUID, parseExactJson);
    // The endpoint explains what is wrong.
    if (!read.ok || !isObject(read.value)) return exchangeWithBody(exchange, head, held.body);
    const document = read.value;
    const { signal } = exchange;
    const inspected = { head, part: 'request', check: rules, document, bytes: byteLength, tally, signal } as const;
    const redact = (): Promise<unknown> => inspectDocument(guarding.tools, inspected);
    const redacted = await redactOrRefuse(document, redact, {
      ...guarding,
      exchange,
      findings: tally.findings,
    });
    return exchangeWithBody(exchange, { ...head, findings: tally.findings() }, Buffer.from(JSON.stringify(redacted)));
  } finally {
    held.release();
    guarding.tools.events.found(head, 'request', tally.findings());
  }
}

interface Refusing extends RequestGuarding {
  exchange: IncomingExchange;
  findings(): Finding[];
}

/** A blocked request leaves a record, like every refusal. */
async function redactOrRefuse(
  request: object,
  redact: () => Promise<unknown>,
  { metering, operation, endUserIn, exchange, findings }: Refusing,
): Promise<unknown> {
  const startedAt = performance.now();
  try {
    return await redact();
  } catch (thrown) {
    const durationMs = performance.now() - startedAt;
    const head = { ...exchange.head, findings: findings() };
    const named = endUserIn === undefined ? request : { ...request, user: endUserIn(request) };
    const refused = { head, ...namedIn(head, named), durationMs };
    if (operation !== undefined)
      unlessDismissed(exchange, () => metering.refused({ ...refused, operation }, toGatewayError(thrown)));
    throw thrown;
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The end user and the model that the record of a blocked request names. */
export function namedIn(
  head: RequestHead,
  request: unknown,
): { endUser: string | undefined; model: string | undefined } {
  if (!isObject(request)) return { endUser: endUserOf(head), model: undefined };
  const model = 'model' in request && typeof request.model === 'string' ? request.model : undefined;
  return { endUser: endUserOf(head, request), model };
}
