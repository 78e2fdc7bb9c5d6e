import type { CatalogueModel } from '../gateway/catalogue-model.ts';
import type { PlaygroundKind } from '../gateway/gateway-api.ts';

/** How many models answer at once. */
const mostModels = 3;

export const playgroundAddress = (base: string, kind: PlaygroundKind, models: readonly string[]): string => {
  const place = kind === 'chat' ? 'playground' : 'playground/images';
  return `${base}/${place}?${new URLSearchParams({ models: models.slice(0, mostModels).join(',') }).toString()}`;
};

type Model = Pick<CatalogueModel, 'id' | 'available' | 'architecture'>;

export const canMake = ({ available, architecture }: Model, kind: PlaygroundKind): boolean =>
  available && architecture.output_modalities.includes(kind === 'chat' ? 'text' : 'image');

/** The playground with those of the models that can answer there; nothing if none can. */
export function tryAddress(base: string, models: readonly Model[]): string | undefined {
  const kind = models.some((model) => canMake(model, 'chat')) ? 'chat' : 'images';
  const able = models.filter((model) => canMake(model, kind)).map(({ id }) => id);
  return able.length === 0 ? undefined : playgroundAddress(base, kind, able);
}
