import { serve } from '@switchyard/bus';
import type { Link, Listener } from '@switchyard/bus';
import { imageService } from '@switchyard/contracts';
import type { Kit, Part } from '@switchyard/service-kit';
import type { ImageConfig } from './config.ts';
import { imageEvents } from './events.ts';
import { refuse } from './refuse.ts';

export { imageConfig } from './config.ts';
export type { ImageConfig } from './config.ts';

/** Image generation and editing, on the bus. */
export function imageModule(kit: Kit<ImageConfig>, { link }: { link: Link }): Part {
  const events = imageEvents(kit);
  const handlers = { generate: refuse('generate', events), edit: refuse('edit', events) };
  let listener: Listener | undefined;
  return {
    name: 'image-svc',
    async start() {
      listener = await serve(link, imageService, handlers, { maxConcurrent: kit.config.IMAGE_MAX_CONCURRENT });
    },
    stop: async (deadlineMs) => listener?.drain(deadlineMs),
  };
}
