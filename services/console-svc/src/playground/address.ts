import type { FieldValues, PlaygroundKind } from '@tallyport/pages';
import type { CatalogueModel } from '../gateway/catalogue-model.ts';

/** What the models of each playground make, and where it is. */
export const playgrounds = {
  chat: { makes: 'text', path: '/playground', title: 'Chat' },
  images: { makes: 'image', path: '/playground/images', title: 'Images' },
  embeddings: { makes: 'embeddings', path: '/playground/embeddings', title: 'Embeddings' },
  speech: { makes: 'speech', path: '/playground/speech', title: 'Speech' },
} as const satisfies Record<PlaygroundKind, object>;

export const playgroundKinds = Object.keys(playgrounds) as PlaygroundKind[];

export const modelNames = ['model', 'model2', 'model3'] as const;

interface PlaygroundPlace {
  base: string;
  kind: PlaygroundKind;
}

export const playgroundAddress = ({ base, kind }: PlaygroundPlace, models: readonly string[], system = ''): string => {
  const parameters = new URLSearchParams({
    ...(models.length > 0 && { models: models.slice(0, modelNames.length).join(',') }),
    ...(system !== '' && { system }),
  });
  return `${base}${playgrounds[kind].path}${parameters.size === 0 ? '' : `?${parameters.toString()}`}`;
};

/** Models, system and message of the address, for a link such as `?models=a,b`. */
export function valuesOfAddress({ models = '', prompt, system }: FieldValues): FieldValues {
  const named = models.split(',').slice(0, modelNames.length);
  return {
    ...Object.fromEntries(modelNames.flatMap((name, at) => (named[at] ? [[name, named[at]]] : []))),
    ...(prompt !== undefined && { prompt }),
    ...(system !== undefined && { system }),
  };
}

type Model = Pick<CatalogueModel, 'id' | 'available' | 'architecture'>;

/** The playground for what a model makes, whether or not it can be called. */
export const kindOfModel = ({ architecture }: Pick<Model, 'architecture'>): PlaygroundKind | undefined =>
  playgroundKinds.find((kind) => architecture.output_modalities.includes(playgrounds[kind].makes));

export const canMake = ({ available, architecture }: Model, kind: PlaygroundKind): boolean =>
  available && architecture.output_modalities.includes(playgrounds[kind].makes);

/** The playground with those of the models that can answer there; nothing if none can. */
export function tryAddress(base: string, models: readonly Model[]): string | undefined {
  const kind = playgroundKinds.find((each) => models.some((model) => canMake(model, each)));
  if (kind === undefined) return undefined;
  return playgroundAddress(
    { base, kind },
    models.filter((model) => canMake(model, kind)).map(({ id }) => id),
  );
}
