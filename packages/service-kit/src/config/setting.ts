import type { z } from 'zod';

/** One environment variable. `schema` reads its trimmed text, or `undefined` when it is not set and has no default. */
export interface Setting<Value = unknown> {
  readonly schema: z.ZodType<Value>;
  /** Shown in docs/settings.md, and in the error when the setting is missing. */
  readonly description: string;
  /** As it would be written in `.env`. */
  readonly default?: string;
  /** Shown in docs/settings.md where there is no default. */
  readonly example?: string;
  /** The value never appears in a message or a log line. */
  readonly secret?: boolean;
  /** Returns a problem when this value contradicts another one. Keys that the process does not read are absent. */
  readonly contradiction?: (values: Readonly<Record<string, unknown>>) => string | undefined;
}

export type Settings = Readonly<Record<string, Setting>>;

/** The parsed and frozen values of all settings of a process. */
export type ConfigOf<Definition extends Settings> = {
  readonly [Key in keyof Definition]: Definition[Key] extends Setting<infer Value> ? Value : never;
};

/** Declares the settings of a service as plain data. Spread a definition into another one to combine them. */
export function defineConfig<const Definition extends Settings>(settings: Definition): Definition {
  const odd = Object.keys(settings).find((name) => !/^[A-Z][A-Z0-9_]*$/.test(name));
  if (odd !== undefined) throw new TypeError(`${odd} cannot be the name of an environment variable.`);
  return settings;
}
