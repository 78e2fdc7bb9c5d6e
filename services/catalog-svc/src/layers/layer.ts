import { customProviderSchema, customQuirksSchema, operatorRoutesSchema } from '@tallyport/contracts';
import { routesProblems } from '@tallyport/routes';
import { z } from 'zod';
import { modelEntrySchema, offerEntrySchema } from '../data-file.ts';

/** Used in paths and prefixes, so it has no slash. */
const providerId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,99}$/, 'must consist of lower-case letters, digits, ".", "_" and "-"');

const offerChange = offerEntrySchema.omit({ provider: true }).partial();

const modelChange = modelEntrySchema
  .omit({ id: true, aliases: true, endpoint: true, offers: true })
  .partial()
  .extend({
    family: z.string().min(1).optional(),
    aliases: z.array(z.string().min(1)).optional(),
    /** By provider; `null` removes an offer. */
    offers: z.record(providerId, offerChange.nullable()).optional(),
  });

const { needsKey, path } = customProviderSchema.shape;

const providerChange = z.strictObject({
  /** Adds a custom provider; the address of a built-in one is set in the environment. */
  baseUrl: z.url({ protocol: /^https?$/, error: 'must be a URL that starts with http:// or https://' }).optional(),
  keyVariable: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/, 'must consist of capital letters, digits and "_", such as ACME for ACME_API_KEY')
    .optional(),
  needsKey,
  path: path.unwrap().regex(/^\//, 'must begin with a slash').optional(),
  quirks: customQuirksSchema.optional(),
  /** From 0 to 1. */
  priority: z.number().min(0).max(1).optional(),
});

/** YAML reads a section without entries as null. */
const section = <Schema extends z.ZodType>(schema: Schema) => z.preprocess((value) => value ?? {}, schema);

/**
 * An operator's routes and changes to models and providers, from `tallyport.yaml` or a call. `null` removes a model or provider.
 */
const layerSchema = z.strictObject({
  providers: section(z.record(providerId, providerChange.nullable())),
  models: section(z.record(modelEntrySchema.shape.id, modelChange.nullable())),
  /** For all accounts. */
  routes: section(operatorRoutesSchema),
});

export type Layer = z.infer<typeof layerSchema>;
export type ModelChange = z.infer<typeof modelChange>;
export type OfferChange = z.infer<typeof offerChange>;
export type ProviderChange = z.infer<typeof providerChange>;

/** A problem and its location: member names from the outermost inwards. */
export interface LayerProblem {
  path: readonly (string | number)[];
  message: string;
}

/** The problems with a layer, which is rejected as a whole. */
export class LayerError extends Error {
  readonly problems: readonly LayerProblem[];

  constructor(problems: readonly LayerProblem[]) {
    super(problems.map(({ path, message }) => `${path.join('.') || 'the whole'}: ${message}`).join(' '));
    this.name = 'LayerError';
    this.problems = problems;
  }
}

/** Checks the form of a layer. Throws LayerError with every problem. */
export function parseLayer(value: unknown): Layer {
  const parsed = layerSchema.safeParse(value);
  if (!parsed.success) throw new LayerError(problemsOf(parsed.error));
  const problems = routesProblems(parsed.data.routes).map((problem) => ({
    ...problem,
    path: ['routes', ...problem.path],
  }));
  if (problems.length > 0) throw new LayerError(problems);
  return parsed.data;
}

/** Turns issues into sentences; an unknown member is reported at its own path. */
export const problemsOf = ({ issues }: z.ZodError): LayerProblem[] =>
  issues.flatMap(({ path, ...issue }): LayerProblem[] => {
    const members = path.filter((member) => typeof member !== 'symbol');
    if (issue.code === 'invalid_key')
      return issue.issues.map(({ message }) => ({ path: members, message: `${message}.` }));
    if (issue.code !== 'unrecognized_keys') return [{ path: members, message: `${issue.message}.` }];
    return issue.keys.map((key) => ({ path: [...members, key], message: 'is not a known member.' }));
  });
