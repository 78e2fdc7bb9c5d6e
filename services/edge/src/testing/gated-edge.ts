import { createServer, type RequestListener } from 'node:http';
import { type ExchangeHandler, inProcessLink, type Link, serve } from '@tallyport/bus';
import {
  authService,
  batchService,
  ledgerService,
  catalogService,
  chatService,
  GatewayError,
  hashKey,
  mcpService,
  type ProviderAvailability,
  type ProviderUptimes,
  service,
} from '@tallyport/contracts';
import { appHandler } from '@tallyport/http-exchange';
import { createKit, createMetrics, type Metrics, readConfig, silentLog } from '@tallyport/service-kit';
import { openStore } from '@tallyport/store';
import { edgeConfig } from '../config.ts';
import { edgeModule, type EdgeTools } from '../module.ts';
import { closeNow, listening } from './test-servers.ts';

/** Controls the services behind edge and records what they have received. */
interface GatedServices {
  /**
   * Key look-ups wait while the gate is closed. Every key belongs to the account `acc`, except `other` and `refused`, whose
   * chats the service refuses before it reads them; `spent` has one chat a minute.
   */
  gate: { close(): void; open(): void };
  /** Whether the services leave requests unanswered. */
  silent: boolean;
  /** The size of every response on the bus. */
  answerBytes: number;
  /** Uploads are not read while their gate is closed. */
  uploads: ReturnType<typeof uploadGate>;
  /** Bytes of uploads that their service has read. */
  uploadedBytes: number;
  /** Requests that reached the service behind `/mcp`, which is also behind the pages. */
  mcpCalls: number;
  /** How often the database was checked, and why it is not connected. */
  databaseChecks: number;
  databaseError: string | undefined;
  /** How often the providers' uptimes were read; they wait while the gate is closed. */
  uptimeReads: number;
  /** Absent: they cannot be read. */
  uptimes: ProviderUptimes | undefined;
  available: ProviderAvailability[];
}

export interface GatedEdge {
  port: number;
  services: GatedServices;
  /** What this edge holds, according to its metrics. */
  held(): Promise<{ requests: number; bytes: number }>;
  stop(): Promise<void>;
}

/** Starts a complete edge in front of services that respond when a test lets them. */
export async function openGatedEdge(
  environment: Record<string, string> = {},
  linger?: EdgeTools['linger'],
): Promise<GatedEdge> {
  const [link, store] = [inProcessLink(), await openStore()];
  const metrics = createMetrics({ defaults: false });
  const services = await serveOn(link);
  const behind = createServer(answerForwarded(services));
  const target = await listening(behind);
  const config = readConfig(edgeConfig, {
    environment: { PORT: '0', INTERNAL_SECRET: 'x'.repeat(32), ...environment },
  });
  const kit = createKit({ name: 'edge', config, log: silentLog(), metrics });
  const edge = edgeModule(kit, {
    link,
    store,
    consoleUrls: () => [target],
    ...(linger && { linger }),
  });
  await edge.start?.();

  return {
    port: Number(new URL(edge.address()).port),
    services,
    held: () => heldBy(metrics),
    async stop() {
      services.gate.open();
      closeNow(behind);
      await edge.stop?.(2_000);
      await Promise.all([link.close(), store.close()]);
    },
  };
}

async function serveOn(link: Link): Promise<GatedServices> {
  let opened = Promise.withResolvers<void>();
  opened.resolve();
  const services: GatedServices = {
    gate: { close: () => (opened = Promise.withResolvers()), open: () => opened.resolve() },
    silent: false,
    answerBytes: 2,
    uploads: uploadGate(),
    uploadedBytes: 0,
    mcpCalls: 0,
    databaseChecks: 0,
    databaseError: undefined,
    uptimeReads: 0,
    uptimes: { providers: [], incidents: [] },
    available: [],
  };
  const { authenticate, databaseStatus, serve: serveAuth } = authService.operations;
  const { providerUptimes, serve: serveLedger } = ledgerService.operations;
  const behind = appHandler(answerForwarded(services));
  await serve(link, service(mcpService.name, { serve: mcpService.operations.serve }), { serve: behind });
  await serve(link, service(ledgerService.name, { providerUptimes, serve: serveLedger }), {
    serve: behind,
    async providerUptimes() {
      services.uptimeReads += 1;
      await opened.promise;
      return services.uptimes ?? Promise.reject(new GatewayError('unavailable', 'connect ECONNREFUSED 10.1.2.3:5432'));
    },
  });
  await serve(link, service(authService.name, { authenticate, databaseStatus, serve: serveAuth }), {
    serve: behind,
    async authenticate({ keyHash }) {
      await opened.promise;
      const accountId = ['other', 'refused'].find((key) => keyHash === hashKey(key)) ?? 'acc';
      const principal = { accountId, keyId: keyHash.slice(0, 8) };
      const spent = keyHash === hashKey('spent') && { key: { requestsPerMinute: { chat: 1 } } };
      return { caller: { principal, limits: { account: { concurrency: 4 }, ...spent } } };
    },
    databaseStatus() {
      services.databaseChecks += 1;
      const { databaseError: error } = services;
      return { connected: error === undefined, ...(error !== undefined && { error }) };
    },
  });
  const { complete, availableProviders } = chatService.operations;
  await serve(link, service(chatService.name, { complete, availableProviders }), {
    complete: answerAs(services),
    availableProviders: () => ({ providers: services.available }),
  });
  await serveFiles(link, services);
  const { listModels } = catalogService.operations;
  await serve(link, service(catalogService.name, { listModels }), { listModels: answerAs(services) });
  return services;
}

function uploadGate() {
  let opened = Promise.withResolvers<void>();
  opened.resolve();
  return {
    close: () => void (opened = Promise.withResolvers()),
    open: () => opened.resolve(),
    passed: () => opened.promise,
  };
}

async function serveFiles(link: Link, services: GatedServices): Promise<void> {
  const { createFile } = batchService.operations;
  await serve(link, service(batchService.name, { createFile }), {
    async createFile({ body }) {
      for await (const piece of body) {
        await services.uploads.passed();
        services.uploadedBytes += piece.length;
      }
      return { head: { status: 200, headers: {} }, body: Buffer.from('{}') };
    },
  });
}

const answerAs =
  (services: GatedServices): ExchangeHandler =>
  async ({ head: { principal }, body, signal }) => {
    if (principal?.accountId === 'refused') throw new GatewayError('overloaded', 'The service is busy.');
    await body.bytes();
    if (services.silent) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    const head = { status: 200, headers: { 'content-type': 'application/json' } };
    return { head, body: pieces(services.answerBytes) };
  };

async function* pieces(bytes: number): AsyncGenerator<Uint8Array> {
  for (let left = bytes; left > 0; left -= 64 * 1024) yield Buffer.alloc(Math.min(left, 64 * 1024), ' ');
}

const answerForwarded =
  (services: GatedServices): RequestListener =>
  (request, response) => {
    if (request.url === '/mcp') services.mcpCalls += 1;
    request.resume();
    if (!services.silent) request.on('end', () => response.end('{}'));
  };

async function heldBy(metrics: Metrics): Promise<{ requests: number; bytes: number }> {
  const text = await metrics.text();
  const value = (name: string) => Number(new RegExp(`^${name}\\{service="edge"\\} (\\S+)$`, 'm').exec(text)?.[1]);
  return { requests: value('gateway_inflight_requests'), bytes: value('gateway_inflight_bytes') };
}
