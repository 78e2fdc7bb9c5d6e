import type { ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import type { Principal } from '@tallyport/contracts';
import { sql } from '@tallyport/database';
import { waitUntil } from '../../../../tests/support/probe.ts';
import { formOf, openBatch, type OpenedBatch } from './open-batch.ts';

type Members = Record<string, unknown>;

/** What a line of a batch asks. */
interface AskedLine {
  exchange: IncomingExchange;
  body: Members;
  text: string;
}

type AnswerLine = (asked: AskedLine) => unknown;

interface Asking {
  accountId?: string;
  projectId?: string;
}

export interface BatchBench extends OpenedBatch {
  /** The lines that were asked since the last call. */
  asked(): AskedLine[];
  /** How the lines are answered from now on: with the body of a completion, or by throwing. */
  answerWith(answer: AnswerLine): void;
  revoked: Set<string>;
  store(content: string, asked?: Asking): Promise<string>;
  /** Creates a batch of OpenAI's API of these lines. */
  create(content: string, more?: Members): Promise<Members>;
  createMessages(requests: readonly unknown[], asked?: Asking): Promise<Members>;
  /** The batch once it has ended. */
  ended(id: unknown): Promise<Members>;
  endedMessages(id: unknown): Promise<Members>;
  /** The lines of a file of results, by their custom ids. Each id may be there once. */
  results(fileId: unknown): Promise<Record<string, Members>>;
  messageResults(id: unknown): Promise<Record<string, Members>>;
  counts(): Promise<{ lines: number; parts: number }>;
}

/** A completion that repeats what was asked. */
export const echo: AnswerLine = ({ body }) => ({
  id: 'chatcmpl-1',
  choices: [{ message: { role: 'assistant', content: body['prompt'] } }],
  usage: { prompt_tokens: 3, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 1 } },
});

/** Nothing is reserved for any line. */
const estimateNothing: ExchangeHandler = async ({ body }) => {
  const lines = Buffer.from(await body.bytes())
    .toString()
    .trimEnd()
    .split('\n');
  return { head: { status: 200, headers: {} }, body: Buffer.from(JSON.stringify({ amounts: lines.map(() => 0) })) };
};

/** batch-svc with Postgres and a folder, and in the place of chat-svc what a test says; `vendors` replaces its operations. */
export async function openBatchBench(
  environment: Record<string, string> = {},
  vendors: Readonly<Record<string, ExchangeHandler>> = {},
  budgets?: Principal['budgets'],
): Promise<BatchBench> {
  let answer: AnswerLine = echo;
  let asked: AskedLine[] = [];
  const revoked = new Set<string>();
  const run: ExchangeHandler = async (exchange) => {
    const text = Buffer.from(await exchange.body.bytes()).toString();
    const line = { exchange, text, body: JSON.parse(text) as Members };
    asked.push(line);
    const document = await answer(line);
    return {
      head: { status: 200, headers: { 'content-type': 'application/json', 'x-tallyport-cost': '0.25' } },
      body: Buffer.from(JSON.stringify(document)),
    };
  };
  const batch = await openBatch({
    environment,
    chat: { complete: run, messages: run, embed: run, estimateLines: estimateNothing, ...vendors },
    revoked,
    ...(budgets && { budgets }),
  });

  return {
    ...batch,
    ...askingOf(batch),
    revoked,
    asked() {
      const lines = asked;
      asked = [];
      return lines;
    },
    answerWith: (next) => void (answer = next),
    async counts() {
      const { rows } = await sql<{ lines: string; parts: string }>`select
        (select count(*) from batch_lines) as lines, (select count(*) from batch_parts) as parts`.execute(
        batch.database.kysely,
      );
      return { lines: Number(rows[0]?.lines), parts: Number(rows[0]?.parts) };
    },
  };
}

/** What clients of both APIs ask. */
function askingOf({ ask, read }: Pick<OpenedBatch, 'ask' | 'read'>) {
  const store = async (content: string, asking: Asking = {}): Promise<string> => {
    const form = await formOf({ purpose: 'batch', file: new File([content], 'in.jsonl') });
    return String((await read('createFile', { ...asking, ...form }))['id']);
  };
  const endedIn =
    (exchange: 'getBatch' | 'getMessageBatch', hasEnded: (found: Members) => boolean) => async (id: unknown) => {
      let found: Members = {};
      const look = async () => hasEnded((found = await read(exchange, { path: String(id) })));
      await waitUntil('the batch to end', look);
      return found;
    };
  const resultsIn = async (exchange: 'fileContent' | 'messageBatchResults', path: string) =>
    byCustomId(await (await ask(exchange, { path })).body.bytes());
  return {
    store,
    async create(content: string, more: Members = {}) {
      const id = await store(content);
      const request = { input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h', ...more };
      return read('createBatch', { body: Buffer.from(JSON.stringify(request)) });
    },
    createMessages: (requests: readonly unknown[], asking: Asking = {}) =>
      read('createMessageBatch', { ...asking, body: Buffer.from(JSON.stringify({ requests })) }),
    ended: endedIn('getBatch', ({ status }) =>
      ['completed', 'failed', 'expired', 'cancelled'].includes(String(status)),
    ),
    endedMessages: endedIn('getMessageBatch', ({ processing_status: status }) => status === 'ended'),
    results: (fileId: unknown) => resultsIn('fileContent', `${String(fileId)}/content`),
    messageResults: (id: unknown) => resultsIn('messageBatchResults', `${String(id)}/results`),
  };
}

function byCustomId(bytes: Uint8Array): Record<string, Members> {
  const text = Buffer.from(bytes).toString();
  const lines = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Members);
  const found = Object.fromEntries(lines.map(({ custom_id: id, ...line }) => [String(id), line]));
  if (Object.keys(found).length !== lines.length) throw new Error('A custom_id has two results.');
  return found;
}

/** A line of OpenAI's API. */
export const lineOf = (id: string, body: Members = {}, members: Members = {}): string =>
  JSON.stringify({
    custom_id: id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model: 'm', prompt: id, ...body },
    ...members,
  });
