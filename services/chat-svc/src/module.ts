import { type Link, serve } from '@switchyard/bus';
import { chatService, type ProviderKeyTest } from '@switchyard/contracts';
import { createDispatch, createImageDispatch } from '@switchyard/dispatch';
import { createPixels } from '@switchyard/pixels';
import type { Kit, Part } from '@switchyard/service-kit';
import { createByteBudget, guardRequests, openServing } from '@switchyard/serving';
import type { Store } from '@switchyard/store';
import manifest from '../package.json' with { type: 'json' };
import { openPromptAffinity } from './affinity/prompt-affinity.ts';
import { openCallEndpoints } from './call-endpoints.ts';
import { type ChatApi, chatCompletions, chatEndpoint, type CompleteTools } from './complete.ts';
import type { ChatConfig } from './config.ts';
import { dialectHandlers } from './dialects/dialect-handlers.ts';
import { dialectEvents } from './dialects/events.ts';
import { chatEvents } from './events.ts';
import { openStoredResponses } from './responses/open-stored-responses.ts';
import { responseHandlers } from './responses/response-handlers.ts';
import { tryProviderKey } from './provider-keys/try-provider-key.ts';
import { explainRoute } from './routing/explain.ts';
import { availableProviders } from './routing/available-providers.ts';
import { listProviders } from './routing/list-providers.ts';
import { createSignatureMemory } from './signatures/signature-memory.ts';

export { chatConfig, type ChatConfig } from './config.ts';

export interface ChatNeeds {
  link: Link;
  store: Store;
  /** The store of cached answers; `store` when absent. */
  answerStore?: Store;
}

/** What the handlers that cost money are recorded as, if a request is blocked before it is read. */
const operations = {
  complete: 'chat',
  completeText: 'chat',
  embed: 'embeddings',
  generateContent: 'chat',
  messages: 'chat',
  moderate: 'moderation',
  responses: 'chat',
  speak: 'speech',
} as const;

/** Serves chat completions on the bus. */
export function chatModule(kit: Kit<ChatConfig>, { link, store, answerStore }: ChatNeeds): Part {
  const { config } = kit;
  const { MAX_BODY_BYTES: maxBodyBytes, CHAT_KEEP_ALIVE_MS: keepAliveMs } = config;
  const budget = createByteBudget(config.CHAT_MAX_INFLIGHT_BYTES, 'CHAT_MAX_INFLIGHT_BYTES');
  const events = chatEvents(kit, budget);
  const serving = openServing(kit, {
    link,
    store,
    answerStore,
    events,
    maxAttempts: config.CHAT_MAX_ATTEMPTS,
    keepAliveMs,
    release: manifest.version,
  });
  const { upstreams, metering, throughCache, replays, guardrails, contentLog } = serving;
  const dispatch = createDispatch(upstreams.dispatchOptions);
  const imageDispatch = createImageDispatch(upstreams.imageDispatchOptions);
  const tools: CompleteTools = {
    events,
    metering,
    throughCache,
    guardrails,
    contentLog,
    dispatch,
    imageDispatch,
    pixels: createPixels({ maxPixels: config.IMAGE_MAX_PIXELS, maxConcurrent: config.IMAGE_CONVERT_CONCURRENT }),
    affinity: openPromptAffinity(store, upstreams.routing.settings),
    signatures: createSignatureMemory(store),
    index: upstreams.routing.index,
    groundFor: upstreams.groundFor,
    imageGroundFor: upstreams.imageGroundFor,
    imageTargets: upstreams.imageDispatchOptions.targets,
    maxBodyBytes,
    budget,
    keepAliveMs,
    headAfterMs: config.CHAT_HEAD_AFTER_MS,
  };
  const speaking = { ...tools, dialectEvents: dialectEvents(kit) };
  const complete = (api: ChatApi) => chatEndpoint(replays, tools, api);
  const calls = openCallEndpoints(kit, upstreams.dispatchOptions, { ...tools, replays });
  const guarding = { tools: guardrails, metering, bounds: { maxBodyBytes, lease: budget.lease }, operations };
  const testing = { dispatch, targets: upstreams.dispatchOptions.targets, ground: upstreams.routing.ground };
  const handlers = {
    ...guardRequests(guarding, {
      complete: complete(chatCompletions),
      ...dialectHandlers({ ...speaking, complete, embed: calls.handlers.embed }),
      ...responseHandlers({ ...speaking, ...openStoredResponses(kit, store), complete }),
      ...calls.handlers,
    }),
    explain: explainRoute(upstreams, tools),
    providers: listProviders(upstreams),
    availableProviders: () => ({ providers: availableProviders(upstreams.routing) }),
    testProviderKey: (test: ProviderKeyTest) => tryProviderKey(testing, test),
    testGuardWebhook: guardrails.webhooks.test,
  };
  return serving.part({
    listen: () => serve(link, chatService, handlers, { maxConcurrent: config.CHAT_MAX_CONCURRENT }),
    close: () => Promise.all([tools.affinity, dispatch, imageDispatch, calls].map((each) => each.close())),
  });
}
