import type { CustomProvider } from '@switchyard/contracts';
import type { DataFile, ModelEntry } from './data-file.ts';

/** A model as it was written, with what its file says of all. */
export interface Ingredient extends ModelEntry {
  family: string;
  simulated: boolean;
}

/** What a catalogue is made from: our data files and, laid over them, what operators said. */
export interface Ingredients {
  readonly models: ReadonlyMap<string, Ingredient>;
  /** The OpenAI-format endpoints of operators. */
  readonly providers: ReadonlyMap<string, CustomProvider>;
  /** By provider, from 0 to 1. */
  readonly priorities: ReadonlyMap<string, number>;
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
  return { models: new Map(models.map((model) => [model.id, model])), providers: new Map(), priorities: new Map() };
}
