import { fileURLToPath } from 'node:url';
import { gatherIngredients, type Ingredients } from '../../services/catalog-svc/src/ingredients.ts';
import { readDataFiles } from '../../services/catalog-svc/src/read-data.ts';

const dataFolder = fileURLToPath(new URL('../../services/catalog-svc/src/data/', import.meta.url));

interface KnownModel {
  id: string;
  aliases: readonly string[];
  contextLength: number | undefined;
  providers: ReadonlySet<string>;
}

/** The models of the catalogue, without those of an operator. */
export interface KnownModels {
  /** By its id or an alias. */
  named(name: string): KnownModel | undefined;
  /** By the provider's name of it, or its own. */
  at(provider: string, name: string): { model: KnownModel; isExact: boolean } | undefined;
}

export const readKnownModels = async (): Promise<KnownModels> =>
  indexModels(gatherIngredients(await readDataFiles(dataFolder)));

function indexModels({ models }: Ingredients): KnownModels {
  const byName = new Map<string, KnownModel>();
  const byOffer = new Map<string, KnownModel>();
  for (const { id, aliases, contextLength, offers } of models.values()) {
    const model = { id, aliases, contextLength, providers: new Set(offers.map(({ provider }) => provider)) };
    for (const name of [id, ...aliases]) byName.set(name, model);
    for (const { provider, model: name } of offers) byOffer.set(`${provider}/${name}`, model);
  }
  return {
    named: (name) => byName.get(name),
    at(provider, name) {
      const exact = byOffer.get(`${provider}/${name}`) ?? offeredAt(byName.get(name), provider);
      if (exact !== undefined) return { model: exact, isExact: true };
      const regional = regionalNames(name).map((each) => byOffer.get(`${provider}/${each}`));
      const model = regional.find((each) => each !== undefined);
      return model && { model, isExact: false };
    },
  };
}

const offeredAt = (model: KnownModel | undefined, provider: string): KnownModel | undefined =>
  model?.providers.has(provider) ? model : undefined;

const regions = ['us', 'eu', 'apac', 'global'];

/** Bedrock's inference profiles of one model differ by the region that begins their names. */
function regionalNames(name: string): string[] {
  const plain = regions.some((region) => name.startsWith(`${region}.`)) ? name.slice(name.indexOf('.') + 1) : name;
  return [plain, ...regions.map((region) => `${region}.${plain}`)];
}
