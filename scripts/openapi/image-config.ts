import { fileURLToPath } from 'node:url';
import type { Model } from '@tallyport/contracts';
import { findImageProvider, type ImageAbilities } from '@tallyport/providers';
import { buildCatalogue } from '../../services/catalog-svc/src/build-catalogue.ts';
import { gatherIngredients } from '../../services/catalog-svc/src/ingredients.ts';
import { readDataFiles } from '../../services/catalog-svc/src/read-data.ts';
import type { JsonSchema } from './schema-book.ts';

const dataFolder = fileURLToPath(new URL('../../services/catalog-svc/src/data/', import.meta.url));

/** The schema of `image_config` for each group of image models, made from the abilities that validate requests. */
export async function imageConfigSchemas(): Promise<Record<string, JsonSchema>> {
  const catalogue = buildCatalogue(gatherIngredients(await readDataFiles(dataFolder)), { sandbox: true, now: 0 });
  const families = new Map<string, string[]>();
  for (const { id, offers } of catalogue.models.filter(makesImages).filter(isLasting)) {
    const abilities = offers.flatMap((offer) => findImageProvider(offer.providerId)?.abilities(offer) ?? [])[0];
    if (abilities === undefined || abilities.config.length === 0) continue;
    const schema = JSON.stringify(configSchema(abilities));
    families.set(schema, [...(families.get(schema) ?? []), id]);
  }
  const anyOf = [...families].map(([schema, models]) => ({ title: models.join(', '), ...JSON.parse(schema) }));
  return { ImageConfig: { description: 'Settings of generated images, by model.', anyOf } };
}

const makesImages = ({ outputModalities }: Model): boolean => outputModalities.includes('image');

/** The reference does not show a model whose end is announced. */
const isLasting = ({ deactivatedAt }: Model): boolean => deactivatedAt === undefined;

function configSchema({ sizes, config, maxImages, maxSeed }: ImageAbilities): JsonSchema {
  const members = {
    aspect_ratio: sizes.kind === 'shape' ? { enum: sizes.aspectRatios } : { type: 'string' },
    image_size: sizeSchema(sizes),
    n: { type: 'integer', minimum: 1, maximum: maxImages },
    seed: { type: 'integer', minimum: 0, ...(maxSeed !== undefined && { maximum: maxSeed }) },
  };
  const supported = config.map((name) => [name, members[name]] as const).filter(([, schema]) => !isEmpty(schema));
  const properties = Object.fromEntries(supported);
  return { type: 'object', properties, additionalProperties: false };
}

/** A model with a single size supports the member but has no values for it. */
const isEmpty = (schema: JsonSchema): boolean => Array.isArray(schema.enum) && schema.enum.length === 0;

function sizeSchema(sizes: ImageAbilities['sizes']): JsonSchema {
  if (sizes.kind === 'shape') return { enum: Object.keys(sizes.classes) };
  const description =
    sizes.kind === 'free'
      ? `WIDTHxHEIGHT, at most ${sizes.maxSide} pixels per side and ${sizes.maxPixels} in total.`
      : 'WIDTHxHEIGHT, at most 4096x4096 pixels in total. For a size the model does not make, the nearest ratio is made, cropped and scaled.';
  return { type: 'string', pattern: String.raw`^\d+x\d+$`, description };
}
