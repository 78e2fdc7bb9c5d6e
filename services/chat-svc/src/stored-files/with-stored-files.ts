import type { ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import { byName, namesOf } from '@tallyport/contracts';
import { type ByteBudget, exchangeWithBody } from '@tallyport/serving';
import { holdBody } from '@tallyport/serving/replay';
import { inlineFiles } from './inline-files.ts';
import type { StoredFiles } from './stored-files.ts';

interface InlineTools {
  storedFiles: StoredFiles;
  budget: ByteBudget;
  maxBodyBytes: number;
}

/** The handlers whose requests may name stored files. */
const filesNamedAt: ReadonlySet<string> = new Set([
  'addConversationItems',
  'compactResponse',
  'complete',
  'countResponseTokens',
  'countTokens',
  'createConversation',
  'messages',
  'responses',
]);

/**
 * Requests have the contents of the stored files that they name before anything reads them: guardrails, Idempotency-Key,
 * cache and providers see what is sent.
 */
export const withStoredFiles = <Name extends string>(
  handlers: Readonly<Record<Name, ExchangeHandler>>,
  tools: InlineTools,
): Record<Name, ExchangeHandler> =>
  byName(namesOf(handlers), (name) => {
    const handle = handlers[name];
    return filesNamedAt.has(name) ? async (exchange) => handle(await inlined(exchange, tools)) : handle;
  });

async function inlined(
  exchange: IncomingExchange,
  { storedFiles: files, budget, maxBodyBytes }: InlineTools,
): Promise<IncomingExchange> {
  const { head, signal } = exchange;
  const lease = budget.lease();
  try {
    const { body } = await holdBody(exchange, { maxBodyBytes, lease: () => lease });
    return exchangeWithBody(exchange, head, await inlineFiles(body, { files, head, signal, maxBodyBytes, lease }));
  } catch (thrown) {
    return { ...exchange, body: unreadableBody(thrown) };
  } finally {
    lease.release();
  }
}

/** The endpoint refuses and records the request, as every one whose body cannot be read. */
const unreadableBody = (reason: unknown): IncomingExchange['body'] => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(reason) }),
  bytes: () => Promise.reject(reason),
  cancel: () => {},
});
