import { openAnswerCache } from '@switchyard/answer-cache';
import { type Link, type Listener, serve } from '@switchyard/bus';
import { chatService } from '@switchyard/contracts';
import { createDispatch, createImageDispatch } from '@switchyard/dispatch';
import { openMetering } from '@switchyard/metering';
import { openReplays } from '@switchyard/replay';
import type { Kit, Part } from '@switchyard/service-kit';
import type { Store } from '@switchyard/store';
import { openUpstreams, type Upstreams } from '@switchyard/upstreams';
import manifest from '../package.json' with { type: 'json' };
import { completeChat } from './complete.ts';
import type { ChatConfig } from './config.ts';
import { type ChatEvents, chatEvents } from './events.ts';
import { explainRoute } from './routing/explain.ts';
import { listProviders } from './routing/list-providers.ts';
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
  const upstreams = openUpstreams(config, { link, store, maxAttempts: config.CHAT_MAX_ATTEMPTS, events });
  const dispatch = createDispatch(upstreams.dispatchOptions);
  const imageDispatch = createImageDispatch(upstreams.imageDispatchOptions);
  const signatures = createSignatureMemory(store);
  const catalogueVersion = () => upstreams.routing.index().version;
  const metering = openMetering(kit, { link, store, priceVersion: catalogueVersion });
  const replays = openReplays(kit, { store, keepAliveMs: config.CHAT_KEEP_ALIVE_MS });
  const complete = completeChat({
    ...completeTools(config, { upstreams, events }),
    dispatch,
    imageDispatch,
    signatures,
    metering,
    throughCache: openAnswerCache(kit, { store, metering, catalogueVersion, release: manifest.version }),
  });
  const handlers = {
    complete: replays.protect({ operation: 'chat', maxBodyBytes: config.MAX_BODY_BYTES }, complete),
    explain: explainRoute(upstreams, config.MAX_BODY_BYTES),
    providers: listProviders(upstreams),
  };
  let listener: Listener | undefined;
  return {
    name: 'chat-svc',
    async start() {
      await upstreams.start();
      listener = await serve(link, chatService, handlers, { maxConcurrent: config.CHAT_MAX_CONCURRENT });
    },
    check: upstreams.check,
    async stop(deadlineMs) {
      upstreams.stopAsking();
      const until = performance.now() + deadlineMs;
      await listener?.drain(deadlineMs);
      await replays.drain(Math.max(0, until - performance.now()));
      await Promise.all([dispatch.close(), imageDispatch.close()]);
      await Promise.all([upstreams.stop(), metering.stop(deadlineMs)]);
    },
  };
}

interface Parts {
  upstreams: Upstreams;
  events: ChatEvents;
}

const completeTools = (config: ChatConfig, { upstreams, events }: Parts) => ({
  events,
  maxBodyBytes: config.MAX_BODY_BYTES,
  keepAliveMs: config.CHAT_KEEP_ALIVE_MS,
  headAfterMs: config.CHAT_HEAD_AFTER_MS,
  index: upstreams.routing.index,
  groundFor: upstreams.groundFor,
  imageGroundFor: upstreams.imageGroundFor,
  imageTargets: upstreams.imageDispatchOptions.targets,
});
