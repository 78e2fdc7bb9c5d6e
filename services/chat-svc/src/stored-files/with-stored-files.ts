import type { ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import { byName, namesOf } from '@tallyport/contracts';
import { type ByteBudget, exchangeWithBody } from '@tallyport/serving';
import { holdBody } from '@tallyport/serving/replay';
import type { IdMember } from './file-places.ts';
import { inlineFiles } from './inline-files.ts';
import type { StoredFiles } from './stored-files.ts';

interface InlineTools {
  storedFiles: StoredFiles;
  budget: ByteBudget;
  maxBodyBytes: number;
}

const byId: readonly IdMember[] = ['file_id'];
const inGemini: readonly IdMember[] = ['fileUri', 'file_uri'];

/** The handlers whose requests may name stored files, and where. */
const membersOf: Readonly<Partial<Record<string, readonly IdMember[]>>> = {
  addConversationItems: byId,
  compactResponse: byId,
  complete: byId,
  countGeminiTokens: inGemini,
  countResponseTokens: byId,
  countTokens: byId,
  createConversation: byId,
  generateContent: inGemini,
  interact: ['uri'],
  messages: byId,
  responses: byId,
};

/**
 * Requests have the contents of the stored files that they name before anything reads them: guardrails, Idempotency-Key,
 * cache and providers see what is sent.
 */
export const withStoredFiles = <Name extends string>(
  handlers: Readonly<Record<Name, ExchangeHandler>>,
  tools: InlineTools,
): Record<Name, ExchangeHandler> =>
  byName(namesOf(handlers), (name) => {
    const [handle, members] = [handlers[name], membersOf[name]];
    return members === undefined ? handle : async (exchange) => handle(await inlined(exchange, { ...tools, members }));
  });

async function inlined(
  exchange: IncomingExchange,
  { storedFiles: files, members, budget, maxBodyBytes }: InlineTools & { members: readonly IdMember[] },
): Promise<IncomingExchange> {
  const { head, signal } = exchange;
  const lease = budget.lease();
  try {
    const { body } = await holdBody(exchange, { maxBodyBytes, lease: () => lease });
    return exchangeWithBody(
      exchange,
      head,
      await inlineFiles(body, { files, members, head, signal, maxBodyBytes, lease }),
    );
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
