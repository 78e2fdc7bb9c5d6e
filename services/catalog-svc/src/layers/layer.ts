import { customProviderSchema, customQuirksSchema } from '@switchyard/contracts';
import { z } from 'zod';
import { modelEntrySchema, offerEntrySchema, pricesSchema } from '../data-file.ts';

/** A name in a path and a prefix: no slash. */
const providerId = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,99}$/, 'must be lower case letters, digits, ".", "_", "-"');

const offerChange = offerEntrySchema.omit({ provider: true }).partial().extend({ pricing: pricesSchema.optional() });

const modelChange = modelEntrySchema
  .omit({ id: true, aliases: true, created: true, offers: true })
  .partial()
  .extend({
    family: z.string().min(1).optional(),
    aliases: z.array(z.string().min(1)).optional(),
    created: z.int().nonnegative().optional(),
    /** By provider. `null` takes an offer away. */
    offers: z.record(providerId, offerChange.nullable()).optional(),
  });

const { needsKey, path } = customProviderSchema.shape;

const providerChange = z.strictObject({
  /** Makes it a provider of its own; those built in are told their address by the environment. */
  baseUrl: z.url({ protocol: /^https?$/, error: 'must be an address that starts with http:// or https://' }).optional(),
  keyVariable: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/, 'must be capital letters, digits and "_", such as ACME for ACME_API_KEY')
    .optional(),
  needsKey,
  path: path.unwrap().regex(/^\//, 'must begin with a slash').optional(),
  quirks: customQuirksSchema.optional(),
  /** From 0 to 1. */
  priority: z.number().min(0).max(1).optional(),
});

/** A section without entries reads as null in YAML. */
const section = <Schema extends z.ZodType>(schema: Schema) => z.preprocess((value) => value ?? {}, schema);

/** What an operator may say of models and providers, in `switchyard.yaml` or by a call. `null` takes a model or provider away. */
export const layerSchema = z.strictObject({
  providers: section(z.record(providerId, providerChange.nullable())),
  models: section(z.record(modelEntrySchema.shape.id, modelChange.nullable())),
});

export type Layer = z.infer<typeof layerSchema>;
export type ModelChange = z.infer<typeof modelChange>;
export type OfferChange = z.infer<typeof offerChange>;
export type ProviderChange = z.infer<typeof providerChange>;

/** What is wrong, and where: the members from the outermost on. */
export interface LayerProblem {
  path: readonly (string | number)[];
  message: string;
}

/** What is wrong with a layer: the whole of it is left out. */
export class LayerError extends Error {
  readonly problems: readonly LayerProblem[];

  constructor(problems: readonly LayerProblem[]) {
    super(problems.map(({ path, message }) => `${path.join('.') || 'the whole'}: ${message}`).join(' '));
    this.name = 'LayerError';
    this.problems = problems;
  }
}

/** Throws LayerError with every problem of form. */
export function parseLayer(value: unknown): Layer {
  const parsed = layerSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new LayerError(problemsOf(parsed.error));
}

/** In words that end like sentences; an unknown member is named by its own path. */
export const problemsOf = ({ issues }: z.ZodError): LayerProblem[] =>
  issues.flatMap(({ path, ...issue }): LayerProblem[] => {
    const members = path.filter((member) => typeof member !== 'symbol');
    if (issue.code === 'invalid_key')
      return issue.issues.map(({ message }) => ({ path: members, message: `${message}.` }));
    if (issue.code !== 'unrecognized_keys') return [{ path: members, message: `${issue.message}.` }];
    return issue.keys.map((key) => ({ path: [...members, key], message: 'there is no such member.' }));
  });
