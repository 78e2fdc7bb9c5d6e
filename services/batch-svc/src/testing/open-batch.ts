import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Body, createClient, type ExchangeResponse, inProcessLink } from '@tallyport/bus';
import { batchService, type Principal } from '@tallyport/contracts';
import { type Database, openDatabase } from '@tallyport/database';
import { createTestDatabase } from '@tallyport/database/testing';
import { generateMasterKey } from '@tallyport/management-server';
import { createKit, createMetrics, readConfig, silentLog } from '@tallyport/service-kit';
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
  ask(exchange: keyof typeof batchService.operations, asked?: Asked): Promise<ExchangeResponse>;
  /** The same, with the answer as JSON. */
  read(exchange: keyof typeof batchService.operations, asked?: Asked): Promise<Record<string, unknown>>;
  /** The names in the folder of the storage. */
  stored(): Promise<string[]>;
  folder: string;
  close(): Promise<void>;
}

/** Starts batch-svc with Postgres and a folder, and with two accounts and two projects of `default`. */
export async function openBatch(environment: Record<string, string> = {}): Promise<OpenedBatch> {
  const { url, drop } = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
  const folder = await mkdtemp(join(tmpdir(), 'tallyport-batch-'));
  const database = await openDatabase({ url });
  const config = readConfig(batchConfig, {
    environment: { DATABASE_URL: url, FILES_DIR: folder, SECRETS_KEY: generateMasterKey(), ...environment },
  });
  const link = inProcessLink();
  const kit = createKit({ name: 'batch-svc', config, log: silentLog(), metrics: createMetrics({ defaults: false }) });
  const part = batchModule(kit, { link, database });
  await part.start?.();
  await database.kysely.insertInto('accounts').values({ id: 'other', name: 'Other' }).execute();
  const client = createClient(link, batchService);

  const ask: OpenedBatch['ask'] = (exchange, asked = {}) => {
    const { accountId = 'default', projectId, path, query, anthropic, contentType, body = new Uint8Array(0) } = asked;
    const principal: Principal = { accountId, keyId: 'key', ...(projectId !== undefined && { projectId }) };
    const headers = {
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...(anthropic && { 'anthropic-version': '2026-10-21' }),
    };
    return client[exchange]({ head: { requestId: 'r', timeoutMs: 30_000, principal, path, query, headers }, body });
  };
  return {
    database,
    ask,
    read: async (exchange, asked) => {
      const { body } = await ask(exchange, asked);
      return JSON.parse(Buffer.from(await body.bytes()).toString()) as Record<string, unknown>;
    },
    stored: async () => (await readdir(folder)).toSorted(),
    folder,
    async close() {
      await part.stop?.(1_000);
      await link.close();
      await database.close();
      await drop();
      await rm(folder, { recursive: true });
    },
  };
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
