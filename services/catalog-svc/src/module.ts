import { join } from 'node:path';
import { type Link, type Listener, createClient, serve } from '@switchyard/bus';
import { catalogService } from '@switchyard/contracts';
import type { Kit, Part } from '@switchyard/service-kit';
import { buildCatalogue } from './build-catalogue.ts';
import { type CatalogConfig, offersSandbox } from './config.ts';
import { catalogEvents } from './events.ts';
import { listModels } from './list-models.ts';
import { createModelLists } from './list/model-list.ts';
import { gatherIngredients } from './ingredients.ts';
import { readDataFiles } from './read-data.ts';

export { catalogConfig, type CatalogConfig, offersSandbox } from './config.ts';

const dataFolder = join(import.meta.dirname, 'data');

/** The catalogue, on the bus. Replicas are told when one with another catalogue starts. */
export function catalogModule(kit: Kit<CatalogConfig>, { link }: { link: Link }): Part {
  const events = catalogEvents(kit);
  let listener: Listener | undefined;
  return {
    name: 'catalog-svc',
    async start() {
      const ingredients = gatherIngredients(await readDataFiles(dataFolder));
      const catalogue = buildCatalogue(ingredients, { sandbox: offersSandbox(kit.config), now: Date.now() });
      events.loaded(catalogue);
      const lists = createModelLists(catalogue, Date.now);
      const handlers = { listModels: listModels(lists, events), snapshot: () => catalogue };
      listener = await serve(link, catalogService, handlers);
      createClient(link, catalogService).catalogueChanged.publish({ version: catalogue.version });
    },
    stop: async (deadlineMs) => listener?.drain(deadlineMs),
  };
}
