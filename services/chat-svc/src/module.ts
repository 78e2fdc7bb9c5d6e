import { type Link, type Listener, serve } from '@switchyard/bus';
import { chatService } from '@switchyard/contracts';
import { createDispatch, readTargets, withCustomProviders } from '@switchyard/dispatch';
import { chatProviders } from '@switchyard/providers';
import { type Kit, type Part, undeclaredVendorAccess, vendorAccess } from '@switchyard/service-kit';
import type { Store } from '@switchyard/store';
import { createCatalogueCopy } from './catalogue-copy.ts';
import { completeChat } from './complete.ts';
import type { ChatConfig } from './config.ts';
import { type ChatEvents, chatEvents } from './events.ts';
import { routingSettings } from './routing/config.ts';
import { explainRoute } from './routing/explain.ts';
import { listProviders } from './routing/list-providers.ts';
import { type Routing, openRouting } from './routing/routing.ts';
import { createSignatureMemory } from './signatures/signature-memory.ts';

export { chatConfig, type ChatConfig } from './config.ts';

export interface ChatNeeds {
  link: Link;
  /** Where replicas tell each other how offers do, and what tool calls were signed with. */
  store: Store;
}

/** Chat completions, on the bus. Not ready until a catalogue is there; later catalog-svc may go away. */
export function chatModule(kit: Kit<ChatConfig>, { link, store }: ChatNeeds): Part {
  const { config } = kit;
  const events = chatEvents(kit);
  const builtIn = readTargets(chatProviders, (stem) => vendorAccess(config, stem));
  const targets = withCustomProviders(builtIn, undeclaredVendorAccess);
  const catalogue = createCatalogueCopy({
    link,
    refreshMs: config.CATALOGUE_REFRESH_MS,
    onLoaded(index) {
      targets.setCustom(index.customProviders);
      events.catalogueLoaded(index);
    },
    onTrouble: events.catalogueTrouble,
  });
  const routing = openRouting({
    settings: routingSettings(config),
    targets,
    store,
    shareEveryMs: config.ROUTING_SHARE_EVERY_MS,
    maxAttempts: config.CHAT_MAX_ATTEMPTS,
    index: catalogue.index,
    onBreaker: events.breakerChanged,
    onShared: () => catalogue.present() && events.offersSeen(catalogue.index(), routing.standings),
  });
  const dispatch = createChatDispatch(config, routing);
  const signatures = createSignatureMemory(store);
  const handlers = {
    complete: completeChat({ ...completeTools(config, { routing, events }), dispatch, signatures }),
    explain: explainRoute(routing, config.MAX_BODY_BYTES),
    providers: listProviders(routing),
  };
  let listener: Listener | undefined;
  return {
    name: 'chat-svc',
    async start() {
      await Promise.all([catalogue.start(), routing.start()]);
      listener = await serve(link, chatService, handlers, { maxConcurrent: config.CHAT_MAX_CONCURRENT });
    },
    check: async () =>
      catalogue.present() ? { ok: true } : { ok: false, message: 'The catalogue is not loaded: catalog-svc is away.' },
    async stop(deadlineMs) {
      catalogue.stop();
      await listener?.drain(deadlineMs);
      await dispatch.close();
      await routing.stop();
    },
  };
}

const createChatDispatch = (config: ChatConfig, { targets, standings, settings }: Routing) =>
  createDispatch({
    targets,
    standings,
    routing: settings,
    timeouts: {
      connectMs: config.UPSTREAM_CONNECT_TIMEOUT_MS,
      firstByteMs: config.UPSTREAM_FIRST_BYTE_TIMEOUT_MS,
      plainFirstByteMs: config.UPSTREAM_PLAIN_FIRST_BYTE_TIMEOUT_MS,
      idleMs: config.UPSTREAM_IDLE_TIMEOUT_MS,
      totalStreamMs: config.UPSTREAM_STREAM_TIMEOUT_MS,
      totalPlainMs: config.UPSTREAM_PLAIN_TIMEOUT_MS,
    },
    maxResponseBytes: config.UPSTREAM_MAX_RESPONSE_BYTES,
    imageUrls: {
      maxBytes: config.IMAGE_URL_MAX_BYTES,
      totalMs: config.IMAGE_URL_TIMEOUT_MS,
      maxConcurrent: config.IMAGE_URL_MAX_CONCURRENT,
      allowLocal: config.IMAGE_URL_ALLOW_LOCAL,
    },
  });

interface Parts {
  routing: Routing;
  events: ChatEvents;
}

const completeTools = (config: ChatConfig, { routing, events }: Parts) => ({
  events,
  maxBodyBytes: config.MAX_BODY_BYTES,
  keepAliveMs: config.CHAT_KEEP_ALIVE_MS,
  headAfterMs: config.CHAT_HEAD_AFTER_MS,
  ground: routing.ground,
});
