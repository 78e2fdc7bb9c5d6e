import { findingSchema } from '@tallyport/contracts';
import { z } from 'zod';
import type { Sent } from '../sent.ts';

const ratio = z.number().nullable();

const standing = {
  healthy: z.boolean().describe('Whether the offer may be tried first, apart from trial requests.'),
  uptime: z
    .object({
      ratio: ratio.describe('As observed. With few attempts it may be outside the bounds.'),
      expected: ratio.describe('The same with some presumed successes, so that few attempts do not decide.'),
      lower: ratio.describe('A lower bound of `expected`. Routing uses this one.'),
      upper: ratio.describe('An upper bound of `expected`.'),
      samples: ratio.describe('The number of attempts behind `ratio`.'),
    })
    .describe(
      'Share of successful attempts of all replicas; older attempts count less. Of an offer that recovers: since its return.',
    ),
  latency_ms: z.number().nullable().describe('Time to the first content.'),
  tokens_per_second: z.number().nullable(),
  breaker: z.string().describe('closed, open or halfOpen, in the replica that answered.'),
  cooldown_ms: z.int().describe('Time left during which the provider asked not to be called.'),
  recovery: z
    .object({
      state: z.enum(['away', 'returning']),
      trial_in_ms: z.int().optional().describe('While away: the time until the next trial request.'),
      requests_at_once: z.int().optional().describe('While returning: how many requests it may get at a time.'),
    })
    .nullable()
    .describe('How an offer that failed gets its share of the requests back; `null` if it has it.'),
};

const named = { provider: z.string(), model: z.string(), model_name: z.string() };

const factor = z.object({ value: z.number().nullable(), ratio, weight: z.number().nullable() });

const planSchema = z.object({
  object: z.literal('route'),
  requested_model: z.string(),
  requested_provider: z.string().nullable(),
  model: z.string(),
  max_attempts: z.int(),
  candidates: z
    .array(
      z.object({
        ...named,
        key: z.enum(['own', 'service']).describe("The provider key tried first: the account's or the gateway's."),
        reason: z.string().describe('Reason for its place in the order.'),
        lane: z
          .enum(['native', 'translated'])
          .optional()
          .describe('Whether the request is passed on unchanged; only with `path`.'),
        lane_reason: z
          .enum(['same_api', 'other_api', 'unfit', 'not_passed'])
          .optional()
          .describe(
            'The provider has the same API or another one, it would refuse the request as it is, or a member must not be passed on.',
          ),
        score: z.number().describe('Lower is better.'),
        factors: z.record(z.string(), factor),
        uptime_penalty: z.number(),
        priority_penalty: z.number(),
        ...standing,
      }),
    )
    .describe('In the order in which they are tried.'),
  weights: z
    .object({
      from: z
        .enum(['account', 'operator', 'request'])
        .describe('Whose they are: of the account, else of the operator; `request` if it is sorted by one factor.'),
      uptime: z.number(),
      throughput: z.number(),
      price: z.number(),
      latency: z.number(),
    })
    .describe('The weights of the score. Those of unknown factors are spread over the known ones.'),
  excluded: z.array(z.object({ ...named, reason: z.string(), detail: z.string().optional() })),
});

const namedRouteSchema = z.object({
  name: z.string(),
  owner: z.enum(['account', 'operator']).describe('Whose route it is. Those of the account come first.'),
  on_content_filter: z.enum(['next', 'stop']),
  conditions: z
    .array(
      z.object({
        if: z.string(),
        use: z.array(z.string()),
        result: z
          .enum(['true', 'false', 'failed', 'not_evaluated'])
          .describe('The first true one decides, and later ones are not evaluated. One that failed counts as false.'),
        problem: z.string().optional().describe('Why it failed.'),
      }),
    )
    .describe('In the order in which they are evaluated.'),
  targets: z.array(
    z.object({
      model: z.string(),
      weight: z.number(),
      share: z.number().describe('Of all weights, from 0 to 1.'),
      chosen: z.boolean().describe('Whether the weights chose it for this conversation.'),
    }),
  ),
  models: z
    .array(z.object({ model: z.string(), reason: z.enum(['condition', 'weight', 'other_target', 'then']) }))
    .describe('In the order in which they are asked, before what is known of their health.'),
  shadow: z
    .object({
      model: z.string(),
      percent: z.number(),
      project: z.string(),
      project_id: z.string().nullable().describe('`null` if the account has no such project. Nothing is sent then.'),
    })
    .optional()
    .describe('The model that a share of the requests is sent to as well.'),
});

export const routePlanSchema = planSchema.extend({
  settings: z
    .array(z.object({ name: z.string(), value: z.number(), description: z.string() }))
    .describe(
      "The operator's settings behind the scores and the order, with their values in force. `weights` has those that count.",
    ),
  routes: z
    .array(namedRouteSchema)
    .optional()
    .describe('The named routes that the request asks for: what decided, and the models that follow.'),
  reservation_usd: z
    .string()
    .optional()
    .describe('What budgets reserve for the request, at the price of the dearest offer that may answer.'),
  reservation_unknown: z.string().optional().describe('In the place of `reservation_usd`: why it is not known.'),
  turns: z
    .array(z.string())
    .optional()
    .describe(
      'Of a request that names several models: the order in which they are asked. One without any healthy offer is last.',
    ),
  stand_ins: z.array(planSchema).optional().describe('The plans of the models that stand in for this one.'),
  passed_over: z
    .array(z.object({ model: z.string(), reason: z.string(), detail: z.string() }))
    .optional()
    .describe('Models of the request that cannot serve it, and why.'),
  guardrails: z
    .array(findingSchema)
    .optional()
    .describe('What the rules of the account and of the key would do to the request.'),
});

export type SentRoute = Sent<typeof routePlanSchema>;

export const providersSchema = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      ...named,
      obstacle: z.string().nullable().describe('Why it cannot be called, for example a missing key.'),
      key: z.enum(['own', 'service']).nullable(),
      ...standing,
      last_error: z.object({ type: z.string(), at: z.iso.datetime() }).nullable(),
    }),
  ),
});

export type ProviderStandings = Sent<typeof providersSchema>;
