import { type Link, serve } from '@switchyard/bus';
import { imageService } from '@switchyard/contracts';
import { createImageDispatch } from '@switchyard/dispatch';
import type { ImageOperation } from '@switchyard/providers';
import type { Kit, Part } from '@switchyard/service-kit';
import { openServing } from '@switchyard/serving';
import type { Store } from '@switchyard/store';
import manifest from '../package.json' with { type: 'json' };
import { createByteBudget } from './byte-budget.ts';
import type { ImageServiceConfig } from './config.ts';
import { imageEvents } from './events.ts';
import { makeImages, type MakeTools } from './make-images.ts';
import { createPixels } from './pixels/pixels.ts';

export { imageConfig, type ImageServiceConfig } from './config.ts';

export interface ImageNeeds {
  link: Link;
  store: Store;
}

/** Making and editing images, on the bus. */
export function imageModule(kit: Kit<ImageServiceConfig>, { link, store }: ImageNeeds): Part {
  const { config } = kit;
  const keepAliveMs = config.IMAGE_KEEP_ALIVE_MS;
  const maxAttempts = config.IMAGE_MAX_ATTEMPTS;
  const budget = createByteBudget(config.IMAGE_MAX_INFLIGHT_BYTES);
  const events = imageEvents(kit, { heldBytes: budget.held, maxBytes: config.IMAGE_MAX_INFLIGHT_BYTES });
  const serving = openServing(kit, { link, store, events, maxAttempts, keepAliveMs, release: manifest.version });
  const { upstreams, metering, throughCache, replays } = serving;
  const pixels = createPixels({ maxPixels: config.IMAGE_MAX_PIXELS, maxConcurrent: config.IMAGE_CONVERT_CONCURRENT });
  const dispatch = createImageDispatch({ ...upstreams.imageDispatchOptions, flawOf: pixels.flawOf });
  const tools: MakeTools = {
    dispatch,
    pixels,
    budget,
    events,
    metering,
    throughCache,
    groundFor: upstreams.imageGroundFor,
    targets: upstreams.imageDispatchOptions.targets,
    maxBodyBytes: config.MAX_BODY_BYTES,
    expectedBytes: config.IMAGE_EXPECTED_BYTES,
    keepAliveMs,
    headAfterMs: keepAliveMs,
    whitespaceEveryMs: config.IMAGE_KEEP_ALIVE ? keepAliveMs : undefined,
  };
  const once = (operation: ImageOperation) =>
    replays.protect(
      { operation: `image ${operation}`, maxBodyBytes: config.MAX_BODY_BYTES, lease: budget.lease },
      makeImages(tools, operation),
    );
  const handlers = { generate: once('generate'), edit: once('edit') };
  return serving.part({
    listen: () => serve(link, imageService, handlers, { maxConcurrent: config.IMAGE_MAX_CONCURRENT }),
    close: () => dispatch.close(),
  });
}
