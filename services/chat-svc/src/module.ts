import { type Link, serve } from '@switchyard/bus';
import { chatService } from '@switchyard/contracts';
import { createDispatch, createImageDispatch } from '@switchyard/dispatch';
import type { Kit, Part } from '@switchyard/service-kit';
import { openServing } from '@switchyard/serving';
import type { Store } from '@switchyard/store';
import manifest from '../package.json' with { type: 'json' };
import { completeChat } from './complete.ts';
import type { ChatConfig } from './config.ts';
import { chatEvents } from './events.ts';
import { explainRoute } from './routing/explain.ts';
import { listProviders } from './routing/list-providers.ts';
import { createSignatureMemory } from './signatures/signature-memory.ts';

export { chatConfig, type ChatConfig } from './config.ts';

export interface ChatNeeds {
  link: Link;
  store: Store;
}

/** Chat completions, on the bus. */
export function chatModule(kit: Kit<ChatConfig>, { link, store }: ChatNeeds): Part {
  const { config } = kit;
  const maxBodyBytes = config.MAX_BODY_BYTES;
  const keepAliveMs = config.CHAT_KEEP_ALIVE_MS;
  const events = chatEvents(kit);
  const maxAttempts = config.CHAT_MAX_ATTEMPTS;
  const serving = openServing(kit, { link, store, events, maxAttempts, keepAliveMs, release: manifest.version });
  const { upstreams, metering, throughCache, replays } = serving;
  const dispatch = createDispatch(upstreams.dispatchOptions);
  const imageDispatch = createImageDispatch(upstreams.imageDispatchOptions);
  const complete = completeChat({
    events,
    metering,
    throughCache,
    dispatch,
    imageDispatch,
    signatures: createSignatureMemory(store),
    index: upstreams.routing.index,
    groundFor: upstreams.groundFor,
    imageGroundFor: upstreams.imageGroundFor,
    imageTargets: upstreams.imageDispatchOptions.targets,
    maxBodyBytes,
    keepAliveMs,
    headAfterMs: config.CHAT_HEAD_AFTER_MS,
  });
  const handlers = {
    complete: replays.protect({ operation: 'chat', maxBodyBytes }, complete),
    explain: explainRoute(upstreams, maxBodyBytes),
    providers: listProviders(upstreams),
  };
  return serving.part({
    listen: () => serve(link, chatService, handlers, { maxConcurrent: config.CHAT_MAX_CONCURRENT }),
    close: () => Promise.all([dispatch.close(), imageDispatch.close()]),
  });
}
