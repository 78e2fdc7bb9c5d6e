import type { z } from 'zod';

/** One environment variable. `schema` reads its trimmed text, or `undefined` when it is not set and has no default. */
export interface Setting<Value = unknown> {
  readonly schema: z.ZodType<Value>;
  /** For `.env.example` and for the person whose start was stopped. */
  readonly description: string;
  /** As it would be written in `.env`. */
  readonly default?: string;
  /** Shown in `.env.example` where there is no default. */
  readonly example?: string;
  /** The value is never shown in a message or a log line. */
  readonly secret?: boolean;
  /** Says what is wrong when this value and another one cannot both be meant. Keys this process does not read are absent. */
  readonly contradiction?: (values: Readonly<Record<string, unknown>>) => string | undefined;
}

export type Settings = Readonly<Record<string, Setting>>;

/** What a process reads from its environment: every key of its settings, parsed and frozen. */
export type ConfigOf<Definition extends Settings> = {
  readonly [Key in keyof Definition]: Definition[Key] extends Setting<infer Value> ? Value : never;
};

/** Declares what a service reads. The result is plain data: spread it into another definition to join them. */
export function defineConfig<const Definition extends Settings>(settings: Definition): Definition {
  const odd = Object.keys(settings).find((name) => !/^[A-Z][A-Z0-9_]*$/.test(name));
  if (odd !== undefined) throw new TypeError(`${odd} cannot be the name of an environment variable.`);
  return settings;
}
