import { createServer } from 'node:http';
import { createClient, type Link } from '@tallyport/bus';
import {
  authService,
  batchService,
  catalogService,
  chatService,
  imageService,
  ledgerService,
} from '@tallyport/contracts';
import { type Kit, listen, type Part, stopServer } from '@tallyport/service-kit';
import type { ConsoleConfig } from './config.ts';
import { dashboard } from './dashboard.ts';
import { consoleEvents } from './events.ts';
import { createKeptModels } from './gateway/kept-models.ts';
import { consoleApp } from './http/app.ts';
import { findCallableModel } from './keys/callable-model.ts';
import type { LimitDefaults } from './screen/limit-fields.ts';

export { consoleConfig } from './config.ts';

interface ConsoleModule extends Part {
  /** The address it listens on, once started. */
  address(): string;
}

/** The pages of the dashboard. Edge forwards `/dashboard` to it; everything it shows it asks other services for. */
export function consoleModule(kit: Kit<ConsoleConfig>, { link }: { link: Link }): ConsoleModule {
  const { config } = kit;
  const auth = createClient(link, authService);
  const events = consoleEvents(kit);
  const gateway = {
    auth,
    catalog: createClient(link, catalogService),
    chat: createClient(link, chatService),
    image: createClient(link, imageService),
    keptModels: createKeptModels(),
  };
  const models = { ...gateway, onFailure: events.modelsNotListed };
  const app = consoleApp({
    routes: dashboard,
    edgeSecrets: config.INTERNAL_SECRET,
    clients: { auth, batch: createClient(link, batchService), ledger: createClient(link, ledgerService) },
    gateway,
    limitDefaults: limitDefaultsOf(config),
    modelFor: (key) => findCallableModel(models, key),
    events,
  });
  const server = createServer(app);
  let address = '';
  return {
    name: 'console',
    async start() {
      address = await listen(server, { host: config.CONSOLE_HOST, port: config.CONSOLE_PORT });
    },
    async check() {
      return link.connected() ? { ok: true } : { ok: false, message: 'The bus is not connected.' };
    },
    stop: (deadlineMs) => stopServer(server, deadlineMs),
    address: () => address,
  };
}

const limitDefaultsOf = (config: ConsoleConfig): LimitDefaults => ({
  'limits.requestsPerMinute.chat': config.LIMIT_CHAT_PER_MINUTE,
  'limits.requestsPerMinute.images': config.LIMIT_IMAGES_PER_MINUTE,
  'limits.requestsPerMinute.models': config.LIMIT_MODELS_PER_MINUTE,
  'limits.requestsPerMinute.mcp': config.LIMIT_MCP_PER_MINUTE,
  'limits.tokensPerMinute': config.LIMIT_TOKENS_PER_MINUTE,
  'limits.concurrency': config.LIMIT_CONCURRENT_REQUESTS,
});
