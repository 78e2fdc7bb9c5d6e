import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Body,
  createClient,
  type ExchangeHandler,
  type ExchangeResponse,
  inProcessLink,
  type Link,
} from '@tallyport/bus';
import { authService, batchService, chatService, type Principal, type RequestHead } from '@tallyport/contracts';
import { type Database, openDatabase } from '@tallyport/database';
import { createTestDatabase } from '@tallyport/database/testing';
import { type ApiCaller, generateMasterKey } from '@tallyport/management-server';
import { createKit, createMetrics, type Part, readConfig, silentLog } from '@tallyport/service-kit';
import { batchConfig, batchModule } from '../module.ts';

interface Asked {
  accountId?: string;
  projectId?: string;
  path?: string;
  query?: string;
  anthropic?: boolean;
  contentType?: string;
  body?: Body;
}

export interface OpenedBatch {
  database: Database;
  /** Calls an exchange for a key of the account `default`, or another one. */
  ask(exchange: Exclude<keyof typeof batchService.operations, 'manage'>, asked?: Asked): Promise<ExchangeResponse>;
  /** The same, with the answer as JSON. */
  read(
    exchange: Exclude<keyof typeof batchService.operations, 'manage'>,
    asked?: Asked,
  ): Promise<Record<string, unknown>>;
  /** The output of an operation of the management API. */
  manage(operation: string, input: object, caller: ApiCaller): Promise<unknown>;
  /** The names in the folder of the storage. */
  stored(): Promise<string[]>;
  folder: string;
  /** Starts another replica on the same database and storage, which answers from now on. */
  join(changed?: Record<string, string>): Promise<Part>;
  /** Stops the first replica. */
  stop(deadlineMs: number): Promise<void>;
  close(): Promise<void>;
}

interface OpenOptions {
  environment?: Record<string, string>;
  /** Takes the place of chat-svc. */
  chat?: Readonly<Record<string, ExchangeHandler>>;
  /** Keys that auth-svc does not know any more. */
  revoked?: ReadonlySet<string>;
  /** Of all keys. */
  budgets?: Principal['budgets'];
}

/** The key with which an account, or one of its projects, asks. */
export const keyIdOf = (accountId: string, projectId?: string): string =>
  projectId === undefined ? `key-of-${accountId}` : `key-of-${accountId}/${projectId}`;

/** Starts batch-svc with Postgres and a folder, and with two accounts and two projects of `default`. */
export async function openBatch({ environment = {}, chat, revoked, budgets }: OpenOptions = {}): Promise<OpenedBatch> {
  const { url, drop } = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
  const folder = await mkdtemp(join(tmpdir(), 'tallyport-batch-'));
  const database = await openDatabase({ url });
  const ownFolder = environment['FILES_S3_BUCKET'] === undefined ? { FILES_DIR: folder } : {};
  const settings = { DATABASE_URL: url, SECRETS_KEY: generateMasterKey(), ...ownFolder, ...environment };
  const links: Link[] = [];
  const start = async (changed: Record<string, string> = {}) => {
    const config = readConfig(batchConfig, { environment: { ...settings, ...changed } });
    const link = inProcessLink();
    links.push(link);
    await serveOthers(link, { chat, revoked, budgets });
    const metrics = createMetrics({ defaults: false });
    const part = batchModule(createKit({ name: 'batch-svc', config, log: silentLog(), metrics }), { link, database });
    await part.start?.();
    return { link, part };
  };
  const first = await start();
  await database.kysely.insertInto('accounts').values({ id: 'other', name: 'Other' }).execute();
  let { link } = first;

  const ask: OpenedBatch['ask'] = (exchange, asked = {}) =>
    createClient(link, batchService)[exchange]({ head: headOf(asked, budgets), body: asked.body ?? new Uint8Array(0) });
  return {
    database,
    ask,
    read: async (exchange, asked) => {
      const { body } = await ask(exchange, asked);
      return JSON.parse(Buffer.from(await body.bytes()).toString()) as Record<string, unknown>;
    },
    async manage(operation, input, caller) {
      const from = { cookie: JSON.stringify(caller), address: '192.0.2.1', publicOrigin: 'https://gateway.example' };
      return (await createClient(link, batchService).manage({ operation, input, ...from })).output;
    },
    stored: async () => (await readdir(folder)).toSorted(),
    folder,
    async join(changed) {
      const joined = await start(changed);
      link = joined.link;
      return joined.part;
    },
    stop: async (deadlineMs) => first.part.stop?.(deadlineMs),
    async close() {
      await first.part.stop?.(1_000);
      await Promise.all(links.map((each) => each.close()));
      await database.close();
      await drop();
      await rm(folder, { recursive: true });
    },
  };
}

function headOf(
  { accountId = 'default', projectId, path, query, anthropic, contentType }: Asked,
  budgets: Principal['budgets'],
): RequestHead {
  const principal: Principal = {
    accountId,
    keyId: keyIdOf(accountId, projectId),
    ...(projectId !== undefined && { projectId }),
    ...(budgets && { budgets }),
  };
  const headers = {
    ...(contentType !== undefined && { 'content-type': contentType }),
    ...(anthropic && { 'anthropic-version': '2026-10-21' }),
  };
  return { requestId: 'r', timeoutMs: 30_000, principal, path, query, headers };
}

async function serveOthers(
  link: Link,
  { chat, revoked, budgets }: Pick<OpenOptions, 'chat' | 'revoked' | 'budgets'>,
): Promise<void> {
  const callerOfKey: ExchangeHandler = async ({ body }) => {
    const { keyId } = JSON.parse(Buffer.from(await body.bytes(1_024)).toString()) as { keyId: string };
    const [accountId, projectId] = keyId.slice(keyIdOf('').length).split('/');
    const caller = revoked?.has(keyId) ? null : { principal: { accountId, projectId, keyId, budgets }, limits: {} };
    return { head: { status: 200, headers: {} }, body: Buffer.from(JSON.stringify({ caller })) };
  };
  // The cookie of a test is the caller itself.
  const pageCaller: ExchangeHandler = async ({ body }) => {
    const { cookie } = JSON.parse(Buffer.from(await body.bytes(1_024)).toString()) as { cookie: string };
    return { head: { status: 200, headers: {} }, body: Buffer.from(`{"caller":${cookie}}`) };
  };
  const handlers = { callerOfKey, pageCaller };
  await link.listen({ service: authService.name, version: '1.0.0', handlers, options: {} });
  if (chat !== undefined)
    await link.listen({ service: chatService.name, version: '1.0.0', handlers: chat, options: {} });
}

/** The parts of a form: fields, and files by their names. */
export type FormParts = Readonly<Record<string, string | Blob>>;

/** A form as clients send it. */
export async function formOf(parts: FormParts): Promise<Required<Pick<Asked, 'contentType' | 'body'>>> {
  const form = new FormData();
  for (const [name, part] of Object.entries(parts)) form.append(name, part);
  const response = new Response(form);
  return {
    contentType: response.headers.get('content-type') ?? '',
    body: new Uint8Array(await response.arrayBuffer()),
  };
}
