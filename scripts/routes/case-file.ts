import { accountTagsSchema } from '@tallyport/contracts';
import { z } from 'zod';

const names = z.array(z.string().min(1).max(200)).max(200);

/** What the gateway must decide about one request, and what it knows meanwhile. */
const caseSchema = z
  .strictObject({
    /** The body of a request, or only the name of its model. */
    request: z.union(
      [z.string().min(1).max(200), z.record(z.string(), z.json())],
      'must be a body or the name of a model',
    ),
    /** The address of another API than chat completions, such as `/v1/messages` or `/v1/embeddings`. */
    path: z.string().startsWith('/').optional(),
    headers: z.record(z.string().regex(/^[\w-]+$/), z.string()).default({}),
    /** Makes the prompt of a request that is only a name as long as this. */
    tokens: z.int().min(1).max(2_000_000).optional(),
    /** Requests with the same one have the same targets. */
    conversation: z.string().min(1).max(200).default('a conversation'),
    /** Of the key, with which it may be refused models. */
    allowedModels: names.optional(),
    key: z.string().max(200).default('key_of_the_case'),
    project: z.string().max(200).default(''),
    accountTags: accountTagsSchema.optional(),
    /** In USD; without it, there is no budget. */
    budgetLeft: z.number().min(0).optional(),
    /** How likely models find the statements of `decide()`; the defaults of the conditions count for others. */
    decisions: z
      .record(z.string(), z.number().min(0).max(1))
      .default({})
      .transform((decided) => new Map(Object.entries(decided))),
    at: z.iso.datetime({ offset: true, error: 'must be a time such as 2026-11-27T22:00:00Z' }).optional(),
    /** Providers (`openai`), offers (`openai/gpt-6-luna`) and models whose breakers are open. */
    down: names.default([]),
    expect: z
      .strictObject({
        /** In the order in which they are asked. */
        models: names.optional(),
        /** The same with their providers: `openai/gpt-6-luna`. */
        offers: names.optional(),
        /** Models that cannot serve the request, each with a part of the reason. */
        passedOver: z.record(z.string(), z.string()).optional(),
        /** A part of the error, if no model can serve the request. */
        error: z.string().min(1).optional(),
      })
      .refine((expected) => Object.keys(expected).length > 0, 'must have models, offers, passedOver or error'),
  })
  .refine(({ request, tokens }) => tokens === undefined || typeof request === 'string', {
    path: ['tokens'],
    message: 'is for a request that is only a name',
  });

export type RouteCase = z.infer<typeof caseSchema>;

const mostCases = 1_000;

export const caseFileSchema = z.strictObject({
  /** The gateway document with the routes, relative to this file. */
  gateway: z.string().min(1),
  /** Whose routes. */
  account: z.string().min(1).default('default'),
  /** The `tallyport.yaml` with your own models and providers, relative to this file. */
  catalogue: z.string().min(1).optional(),
  /** The providers that can be called; all if it is missing. */
  providers: names.optional(),
  cases: z
    .record(z.string().min(1), caseSchema)
    .refine((cases) => Object.keys(cases).length > 0, 'must have a case')
    .refine((cases) => Object.keys(cases).length <= mostCases, `must be ${mostCases} cases at most`),
});

export type CaseFile = z.infer<typeof caseFileSchema>;
