import { type Link, serve } from '@tallyport/bus';
import { imageService, usageOfExchanges } from '@tallyport/contracts';
import { createImageDispatch } from '@tallyport/dispatch';
import { createPixels } from '@tallyport/pixels';
import type { ImageOperation } from '@tallyport/providers';
import type { Kit, Part } from '@tallyport/service-kit';
import { createByteBudget, openLife, openServing } from '@tallyport/serving';
import { forgetAnswersOf } from '@tallyport/serving/replay';
import type { Store } from '@tallyport/store';
import manifest from '../package.json' with { type: 'json' };
import type { ImageServiceConfig } from './config.ts';
import { imageEvents } from './events.ts';
import { imageEndpoint } from './image-endpoint.ts';

export { imageConfig } from './config.ts';

interface ImageModuleTools {
  link: Link;
  store: Store;
  /** The store of cached answers; `store` when absent. */
  answerStore?: Store;
}

/** Serves making and editing images on the bus. */
export function imageModule(kit: Kit<ImageServiceConfig>, { link, store, answerStore }: ImageModuleTools): Part {
  const { config } = kit;
  const keepAliveMs = config.IMAGE_KEEP_ALIVE_MS;
  const maxAttempts = config.IMAGE_MAX_ATTEMPTS;
  const budget = createByteBudget(config.IMAGE_MAX_INFLIGHT_BYTES, 'IMAGE_MAX_INFLIGHT_BYTES');
  const events = imageEvents(kit, budget);
  const serving = openServing(kit, {
    link,
    store,
    answerStore,
    events,
    maxAttempts,
    keepAliveMs,
    release: manifest.version,
  });
  const { upstreams, metering, throughCache, replays, guardrails, contentLog } = serving;
  const pixels = createPixels({ maxPixels: config.IMAGE_MAX_PIXELS });
  const dispatch = createImageDispatch({ ...upstreams.imageDispatchOptions, findFlaw: pixels.findFlaw });
  const tools = {
    dispatch,
    pixels,
    budget,
    events,
    metering,
    throughCache,
    guardrails,
    contentLog,
    groundFor: upstreams.imageGroundFor,
    targets: upstreams.imageDispatchOptions.targets,
    routes: upstreams.routes,
    budgetLeft: metering.budgetLeft,
    decider: serving.decider,
    maxBodyBytes: config.MAX_BODY_BYTES,
    expectedBytes: config.IMAGE_EXPECTED_BYTES,
    keepAliveMs,
    headAfterMs: keepAliveMs,
    whitespaceEveryMs: config.IMAGE_KEEP_ALIVE ? keepAliveMs : undefined,
  };
  const life = openLife({ ...tools, replays, operations: usageOfExchanges('image') });
  const make = (operation: ImageOperation) => life.pay(imageEndpoint(tools, operation));
  const handlers = {
    ...life.arrive({ generate: make('generate'), edit: make('edit') }),
    forgetAnswers: forgetAnswersOf(replays),
  };
  return serving.part({
    async listen() {
      await pixels.load();
      return serve(link, imageService, handlers, { maxConcurrent: config.IMAGE_MAX_CONCURRENT });
    },
    close: () => dispatch.close(),
  });
}
