import type { CustomProvider } from '@tallyport/contracts';
import type { DataFile, ModelEntry } from './data-file.ts';

/** A model entry, with the members of its file. */
export interface Ingredient extends ModelEntry {
  family: string;
  simulated: boolean;
}

/** What a catalogue is built from: the data files, with the operator's changes applied. */
export interface Ingredients {
  readonly models: ReadonlyMap<string, Ingredient>;
  /** The operator's OpenAI-compatible endpoints. */
  readonly providers: ReadonlyMap<string, CustomProvider>;
  /** By provider, from 0 to 1. */
  readonly priorities: ReadonlyMap<string, number>;
  /** Unix seconds of the newest data file's `asOf`; used for releases with an unknown date. */
  readonly gathered: number;
}

export function gatherIngredients(files: readonly DataFile[]): Ingredients {
  const models = files.flatMap(({ family, simulated, tokenizer, models: entries }) =>
    entries.map((entry): Ingredient => ({
      ...(tokenizer !== undefined && { tokenizer }),
      ...entry,
      family,
      simulated,
    })),
  );
  return {
    models: new Map(models.map((model) => [model.id, model])),
    providers: new Map(),
    priorities: new Map(),
    gathered: Math.max(0, ...files.flatMap(({ asOf }) => (asOf === undefined ? [] : [Date.parse(asOf) / 1_000]))),
  };
}
