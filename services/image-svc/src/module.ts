import { openAnswerCache } from '@switchyard/answer-cache';
import { type Link, type Listener, serve } from '@switchyard/bus';
import { imageService } from '@switchyard/contracts';
import { createImageDispatch } from '@switchyard/dispatch';
import { openMetering } from '@switchyard/metering';
import type { ImageOperation } from '@switchyard/providers';
import { openReplays } from '@switchyard/replay';
import type { Kit, Part } from '@switchyard/service-kit';
import type { Store } from '@switchyard/store';
import { openUpstreams } from '@switchyard/upstreams';
import manifest from '../package.json' with { type: 'json' };
import { createByteBudget } from './byte-budget.ts';
import type { ImageServiceConfig } from './config.ts';
import { imageEvents } from './events.ts';
import { makeImages, type MakeTools } from './make-images.ts';
import { createPixels } from './pixels/pixels.ts';

export { imageConfig, type ImageServiceConfig } from './config.ts';

export interface ImageNeeds {
  link: Link;
  /** Where replicas tell each other how offers do. */
  store: Store;
}

/** Making and editing images, on the bus. Not ready until a catalogue is there; later catalog-svc may go away. */
export function imageModule(kit: Kit<ImageServiceConfig>, { link, store }: ImageNeeds): Part {
  const { config } = kit;
  const budget = createByteBudget(config.IMAGE_MAX_INFLIGHT_BYTES);
  const events = imageEvents(kit, { heldBytes: budget.held, maxBytes: config.IMAGE_MAX_INFLIGHT_BYTES });
  const upstreams = openUpstreams(config, { link, store, maxAttempts: config.IMAGE_MAX_ATTEMPTS, events });
  const pixels = createPixels({ maxPixels: config.IMAGE_MAX_PIXELS, maxConcurrent: config.IMAGE_CONVERT_CONCURRENT });
  const dispatch = createImageDispatch({ ...upstreams.imageDispatchOptions, flawOf: pixels.flawOf });
  const catalogueVersion = () => upstreams.routing.index().version;
  const metering = openMetering(kit, { link, store, priceVersion: catalogueVersion });
  const tools: MakeTools = {
    dispatch,
    pixels,
    budget,
    metering,
    events,
    throughCache: openAnswerCache(kit, { store, metering, catalogueVersion, release: manifest.version }),
    groundFor: upstreams.imageGroundFor,
    targets: upstreams.imageDispatchOptions.targets,
    maxBodyBytes: config.MAX_BODY_BYTES,
    expectedBytes: config.IMAGE_EXPECTED_BYTES,
    keepAliveMs: config.IMAGE_KEEP_ALIVE_MS,
    headAfterMs: config.IMAGE_KEEP_ALIVE_MS,
    whitespaceEveryMs: config.IMAGE_KEEP_ALIVE ? config.IMAGE_KEEP_ALIVE_MS : undefined,
  };
  const replays = openReplays(kit, { store, keepAliveMs: config.IMAGE_KEEP_ALIVE_MS });
  const once = (operation: ImageOperation) =>
    replays.protect(
      { operation: `image ${operation}`, maxBodyBytes: config.MAX_BODY_BYTES, lease: budget.lease },
      makeImages(tools, operation),
    );
  const handlers = { generate: once('generate'), edit: once('edit') };
  let listener: Listener | undefined;
  return {
    name: 'image-svc',
    async start() {
      await upstreams.start();
      listener = await serve(link, imageService, handlers, { maxConcurrent: config.IMAGE_MAX_CONCURRENT });
    },
    check: upstreams.check,
    async stop(deadlineMs) {
      upstreams.stopAsking();
      const until = performance.now() + deadlineMs;
      await listener?.drain(deadlineMs);
      await replays.drain(Math.max(0, until - performance.now()));
      await dispatch.close();
      await Promise.all([upstreams.stop(), metering.stop(deadlineMs)]);
    },
  };
}
