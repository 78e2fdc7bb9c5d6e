import type { CustomProvider, Routes } from '@tallyport/contracts';
import type { ClassRule, DataFile, ModelEntry, TierRules } from './data-file.ts';

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
  /** Models that answer for a name of their own, for all accounts. */
  readonly routes: Routes;
  /** Service tiers that hold for all chat models of a provider. */
  readonly tierRules: TierRules;
  /** Prices that follow from others, by the family. */
  readonly classRules: ReadonlyMap<string, readonly ClassRule[]>;
  /** Unix seconds of the newest data file's `asOf`; used for releases with an unknown date. */
  readonly gathered: number;
}

export function gatherIngredients(files: readonly DataFile[], tierRules: TierRules = {}): Ingredients {
  const models = files.flatMap(({ family, simulated, tokenizer, asOf, models: entries }) =>
    entries.map((entry): Ingredient => ({
      ...(tokenizer !== undefined && { tokenizer }),
      ...entry,
      family,
      simulated,
      offers: entry.offers.map((offer) => ({ ...(asOf !== undefined && { asOf }), ...offer })),
    })),
  );
  return {
    models: new Map(models.map((model) => [model.id, model])),
    providers: new Map(),
    priorities: new Map(),
    routes: {},
    tierRules,
    classRules: new Map(files.map(({ family, classRules }) => [family, classRules])),
    gathered: Math.max(0, ...files.flatMap(({ asOf }) => (asOf === undefined ? [] : [Date.parse(asOf) / 1_000]))),
  };
}
