import { randomUUID } from 'node:crypto';
import type { ExchangeHandler, IncomingExchange } from '@switchyard/bus';
import { byName, namesOf } from '@switchyard/contracts';
import { type TextRules, createTally, redactRequest } from '@switchyard/guardrails';
import { type BodyBounds, holdBody } from '@switchyard/replay';
import { parseJsonBody } from '@switchyard/wire';
import type { GuardrailTools } from './open-guardrails.ts';
import { exchangeWithBody } from './exchange-with-body.ts';

/**
 * Handlers that read a request only after the caller's rules: a blocked request is refused before anything is planned,
 * and a redacted one has placeholders wherever its body is read or passed on. Forms are left to their readers.
 */
export const guardRequests = <Name extends string>(
  tools: GuardrailTools,
  bounds: BodyBounds,
  handlers: Readonly<Record<Name, ExchangeHandler>>,
): Record<Name, ExchangeHandler> =>
  byName(namesOf(handlers), (name) => guardRequest({ tools, bounds }, handlers[name]));

const guardRequest =
  (guarding: Guarding, handler: ExchangeHandler): ExchangeHandler =>
  async (exchange) => {
    const check = guarding.tools.of(exchange.head.principal)?.request;
    if (check === undefined || isForm(exchange)) return handler(exchange);
    return handler(await guardedExchange(exchange, check, guarding));
  };

const isForm = ({ head }: IncomingExchange): boolean => /^multipart\//i.test(head.headers['content-type'] ?? '');

interface Guarding {
  tools: GuardrailTools;
  bounds: BodyBounds;
}

/** The body is written anew: a vendor might read another one of two members with the same name than was inspected. */
async function guardedExchange(
  exchange: IncomingExchange,
  check: TextRules,
  { tools, bounds }: Guarding,
): Promise<IncomingExchange> {
  const { head } = exchange;
  const held = await holdBody(exchange, bounds);
  const tally = createTally();
  try {
    const { buffer, byteOffset, byteLength } = held.body;
    const read = parseJsonBody([Buffer.from(buffer, byteOffset, byteLength)], randomUUID());
    // The endpoint explains what is wrong.
    if (!read.ok) return exchangeWithBody(exchange, head, held.body);
    const redacted = redactRequest(read.value, check, { part: 'request', tally });
    const findings = tally.findings();
    return exchangeWithBody(exchange, { ...head, findings }, Buffer.from(JSON.stringify(redacted)));
  } finally {
    held.release();
    tools.events.found(head, 'request', tally.findings());
  }
}
