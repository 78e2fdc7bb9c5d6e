import { type Link, type Listener, serve } from '@switchyard/bus';
import { chatService } from '@switchyard/contracts';
import { type Targets, createDispatch, readTargets } from '@switchyard/dispatch';
import { chatProviders } from '@switchyard/providers';
import { type Kit, type Part, vendorAccess } from '@switchyard/service-kit';
import { type CatalogueCopy, createCatalogueCopy } from './catalogue-copy.ts';
import { completeChat } from './complete.ts';
import type { ChatConfig } from './config.ts';
import { type ChatEvents, chatEvents } from './events.ts';

export { chatConfig, type ChatConfig } from './config.ts';

/** Chat completions, on the bus. Not ready until a catalogue is there; later catalog-svc may go away. */
export function chatModule(kit: Kit<ChatConfig>, { link }: { link: Link }): Part {
  const { config } = kit;
  const events = chatEvents(kit);
  const targets = readTargets(chatProviders, (stem) => vendorAccess(config, stem));
  const dispatch = createChatDispatch(config, targets);
  const catalogue = createCatalogueCopy({
    link,
    refreshMs: config.CATALOGUE_REFRESH_MS,
    onLoaded: events.catalogueLoaded,
    onTrouble: events.catalogueTrouble,
  });
  const handlers = { complete: completeChat({ ...completeTools(config, { targets, catalogue, events }), dispatch }) };
  let listener: Listener | undefined;
  return {
    name: 'chat-svc',
    async start() {
      await catalogue.start();
      listener = await serve(link, chatService, handlers, { maxConcurrent: config.CHAT_MAX_CONCURRENT });
    },
    check: async () =>
      catalogue.present() ? { ok: true } : { ok: false, message: 'The catalogue is not loaded: catalog-svc is away.' },
    async stop(deadlineMs) {
      catalogue.stop();
      await listener?.drain(deadlineMs);
      await dispatch.close();
    },
  };
}

const createChatDispatch = (config: ChatConfig, targets: Targets) =>
  createDispatch({
    targets,
    timeouts: {
      connectMs: config.UPSTREAM_CONNECT_TIMEOUT_MS,
      firstByteMs: config.UPSTREAM_FIRST_BYTE_TIMEOUT_MS,
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
  targets: Targets;
  catalogue: CatalogueCopy;
  events: ChatEvents;
}

const completeTools = (config: ChatConfig, { targets, catalogue, events }: Parts) => ({
  events,
  maxBodyBytes: config.MAX_BODY_BYTES,
  keepAliveMs: config.CHAT_KEEP_ALIVE_MS,
  headAfterMs: config.CHAT_HEAD_AFTER_MS,
  ground: () => ({
    index: catalogue.index(),
    obstacle: targets.obstacle,
    maxAttempts: config.CHAT_MAX_ATTEMPTS,
    now: Date.now(),
  }),
});
