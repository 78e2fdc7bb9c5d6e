import { type Link, type Listener, serve } from '@tallyport/bus';
import { type BudgetHold, chatService, type ProviderKeyTest, usageOfExchanges } from '@tallyport/contracts';
import { messagesEndUser } from '@tallyport/dialects';
import { createDispatch, createImageDispatch, createPromptCounter, type RoutingSettings } from '@tallyport/dispatch';
import { createPixels } from '@tallyport/pixels';
import type { Kit, Part } from '@tallyport/service-kit';
import { AnswerMemory, createByteBudget, createCallDetours, openLife, openServing } from '@tallyport/serving';
import type { Metering } from '@tallyport/serving/metering';
import { forgetAnswersOf } from '@tallyport/serving/replay';
import type { Store } from '@tallyport/store';
import manifest from '../package.json' with { type: 'json' };
import { openPromptAffinity } from './affinity/prompt-affinity.ts';
import { openCallEndpoints } from './call-endpoints.ts';
import type { Background } from './background/background.ts';
import { type ChatApi, chatCompletions, chatEndpoint } from './complete.ts';
import type { ChatConfig } from './config.ts';
import { dialectHandlers } from './dialects/dialect-handlers.ts';
import { dialectEvents } from './dialects/events.ts';
import { interactionHandlers } from './interactions/interaction-handlers.ts';
import { chatEvents } from './events.ts';
import { openBackgroundAnswers } from './open-background-answers.ts';
import { openPromptUses } from './prompt-uses/prompt-uses.ts';
import { openStoredResponses } from './responses/open-stored-responses.ts';
import { openRealtime } from './realtime/realtime.ts';
import { responseHandlers } from './responses/response-handlers.ts';
import { tryProviderKey } from './provider-keys/try-provider-key.ts';
import { estimateLines } from './routing/estimate-lines.ts';
import { explainRoute } from './routing/explain.ts';
import { availableProviders } from './routing/available-providers.ts';
import { listProviders } from './routing/list-providers.ts';
import { openShadows } from './shadows/shadows.ts';
import { openStoredFiles } from './stored-files/stored-files.ts';
import { withStoredFiles } from './stored-files/with-stored-files.ts';
import { withBatchedLines } from './vendor-batches/batched-lines.ts';
import { openVendorBatches } from './vendor-batches/vendor-batches.ts';
import { openSignatureMemory } from './signatures/open-signature-memory.ts';

export { checkProviderKeys, type CheckedProvider, describeKeys } from '@tallyport/serving/upstreams';
export { chatConfig } from './config.ts';
export { cheapestModels } from './provider-keys/cheapest-models.ts';

interface ChatTools {
  link: Link;
  store: Store;
  /** The store of cached answers; `store` when absent. */
  answerStore?: Store;
}

/** Where a blocked request of another API names its end user. */
const endUsers = { messages: messagesEndUser };

const memoryOf = ({ CHAT_MAX_INFLIGHT_BYTES: limit, CHAT_MAX_INFLIGHT_ANSWER_BYTES: answerLimit }: ChatConfig) => ({
  budget: createByteBudget(limit, 'CHAT_MAX_INFLIGHT_BYTES'),
  answers: new AnswerMemory({ limit: answerLimit, setting: 'CHAT_MAX_INFLIGHT_ANSWER_BYTES' }),
});

/** What is remembered about conversations. */
const openConversations = (store: Store, settings: RoutingSettings) => ({
  affinity: openPromptAffinity(store, settings),
  promptUses: openPromptUses(store, { characters: settings.affinityCharacters }),
  signatures: openSignatureMemory(store),
});

const planningTools = ({ upstreams, metering, decider }: ReturnType<typeof openServing>) => ({
  groundFor: upstreams.groundFor,
  imageGroundFor: upstreams.imageGroundFor,
  chatTargets: upstreams.dispatchOptions.targets,
  routes: upstreams.routes,
  budgetLeft: metering.budgetLeft,
  decider,
});

const providerHandlers = (
  upstreams: ReturnType<typeof openServing>['upstreams'],
  tools: Parameters<typeof explainRoute>[1] & Parameters<typeof estimateLines>[1],
) => ({
  explain: explainRoute(upstreams, tools),
  estimateLines: estimateLines(upstreams, tools),
  providers: listProviders(upstreams),
  availableProviders: () => ({ providers: availableProviders(upstreams.routing) }),
});

const targetsOf = ({ dispatchOptions, routing }: ReturnType<typeof openServing>['upstreams']) => ({
  targets: dispatchOptions.targets,
  ground: routing.ground,
});

const servingSettings = ({ CHAT_MAX_ATTEMPTS: maxAttempts, CHAT_KEEP_ALIVE_MS: keepAliveMs }: ChatConfig) => ({
  maxAttempts,
  keepAliveMs,
  release: manifest.version,
});

/** What the management API tries out. */
const testHandlers = (
  tools: Parameters<typeof tryProviderKey>[0],
  { test }: ReturnType<typeof openServing>['guardrails']['webhooks'],
) => ({ testProviderKey: (asked: ProviderKeyTest) => tryProviderKey(tools, asked), testGuardWebhook: test });

const limitsOf = ({ CHAT_MAX_CONCURRENT: maxConcurrent }: ChatConfig) => ({ maxConcurrent });

const dispatchOf = ({ dispatchOptions, imageDispatchOptions }: ReturnType<typeof openServing>['upstreams']) => ({
  dispatch: createDispatch(dispatchOptions),
  imageDispatch: createImageDispatch(imageDispatchOptions),
});

/** For batches, whose lines any replica may run. */
const holdBudgets =
  (metering: Metering) =>
  async ({ principal, ...hold }: BudgetHold) => {
    const refusal = await metering.holdBudgets(principal, hold);
    if (refusal !== undefined) throw refusal;
    return {};
  };

/** Begins with background responses once the service listens. Both drain at once: clients wait for the responses. */
async function beside(background: Background | undefined, listening: Promise<Listener>): Promise<Listener> {
  const listener = await listening;
  background?.start();
  const drain = async (deadlineMs: number) =>
    void (await Promise.all([listener.drain(deadlineMs), background?.drain(deadlineMs)]));
  return { ...listener, drain };
}

/** Serves chat completions on the bus. */
export function chatModule(kit: Kit<ChatConfig>, opened: ChatTools): Part {
  const { config } = kit;
  const memory = memoryOf(config);
  const events = chatEvents(kit, memory);
  const serving = openServing(kit, { ...opened, events, ...servingSettings(config) });
  const { upstreams, metering, throughCache, replays, guardrails, contentLog } = serving;
  const { dispatch, imageDispatch } = dispatchOf(upstreams);
  const tools = {
    events,
    metering,
    throughCache,
    guardrails,
    contentLog,
    detours: createCallDetours(),
    ...memory,
    dispatch,
    imageDispatch,
    pixels: createPixels({ maxPixels: config.IMAGE_MAX_PIXELS }),
    ...openConversations(opened.store, upstreams.routing.settings),
    index: upstreams.routing.index,
    ...planningTools(serving),
    shadows: openShadows({ metering, metrics: kit.metrics }),
    imageTargets: upstreams.imageDispatchOptions.targets,
    maxBodyBytes: config.MAX_BODY_BYTES,
    isStrict: config.CHAT_STRICT,
    keepAliveMs: config.CHAT_KEEP_ALIVE_MS,
    headAfterMs: config.CHAT_HEAD_AFTER_MS,
  };
  const counter = createPromptCounter(upstreams.dispatchOptions);
  const life = openLife({ ...tools, replays, operations: usageOfExchanges('chat'), endUsers });
  const complete = (api: ChatApi) => life.pay(chatEndpoint(tools, api));
  const stored = openStoredResponses(kit, opened.store);
  const speaking = { ...tools, ...stored, counter, complete, once: life.once, dialectEvents: dialectEvents(kit) };
  const calls = openCallEndpoints(kit, upstreams.dispatchOptions, { ...tools, life });
  const realtime = openRealtime(kit, upstreams.dispatchOptions, tools);
  const storing = { ...speaking, background: openBackgroundAnswers(kit, opened.store, speaking) };
  const answering = {
    complete: complete(chatCompletions({ isStrict: config.CHAT_STRICT })),
    ...dialectHandlers({ ...speaking, embedIn: calls.embedIn }),
    ...responseHandlers(storing),
    ...interactionHandlers(storing),
    ...calls.handlers,
  };
  const preparing = { ...tools, storedFiles: openStoredFiles(opened.link) };
  const vendorBatches = openVendorBatches({ ...tools, dispatchOptions: upstreams.dispatchOptions });
  const handlers = {
    ...life.arrive(answering, (guarded) => withBatchedLines(withStoredFiles(guarded, preparing), preparing)),
    ...vendorBatches.handlers,
    ...realtime.handlers,
    ...providerHandlers(upstreams, tools),
    ...testHandlers({ dispatch, ...targetsOf(upstreams) }, guardrails.webhooks),
    forgetAnswers: forgetAnswersOf(replays),
    holdBudgets: holdBudgets(metering),
  };
  const closed = [tools.affinity, tools.promptUses, dispatch, imageDispatch, counter, calls, realtime, vendorBatches];
  return serving.part({
    listen: () => beside(storing.background, serve(opened.link, chatService, handlers, limitsOf(config))),
    close: () => tools.shadows.stop().then(() => Promise.all(closed.map(async (each) => each.close()))),
  });
}
