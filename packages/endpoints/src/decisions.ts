import { z } from 'zod';
import { json } from './content-types.ts';
import type { EndpointDescription } from './description.ts';
import { routingHeaders, routingMembers } from './routing-members.ts';

/** OpenAI's limits. */
export const mostQuestions = 400;
const mostChoices = 255;

const words = z.string('must be text');
const name = words.min(1, 'must not be empty').max(200, 'is too long');
const textParts = z.array(z.strictObject({ type: z.literal('input_text'), text: z.string() })).min(1);
const instructions = z.union([words.min(1, 'must not be empty'), textParts], 'must be text, or a list of `input_text`');

const asked = { name: name.optional(), instructions };
const question = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('predicate'), ...asked }),
    z.strictObject({
      type: z.literal('choice'),
      ...asked,
      choices: z
        .array(z.strictObject({ value: z.union([z.string(), z.boolean()]), description: z.string().optional() }))
        .min(2, 'must have at least 2 entries')
        .max(mostChoices, `must have at most ${mostChoices} entries`),
    }),
    z.strictObject({
      type: z.literal('score'),
      ...asked,
      levels: z
        .array(z.strictObject({ label: z.string(), description: z.string().optional() }))
        .min(1, 'must not be empty')
        .max(mostChoices, `must have at most ${mostChoices} entries`),
    }),
  ],
  'must have the type `predicate`, `choice` or `score`',
);

/** Unknown members are refused: dropping one could change a decision without notice. */
export const decisionRequest = z.strictObject({
  model: words.min(1, 'must not be empty'),
  input: z
    .union([words.min(1, 'must not be empty'), z.array(z.looseObject({})).min(1).max(2_048)], 'must be text or a list')
    .describe('What the questions are about: a text, or messages and calls as in `/v1/responses`.'),
  questions: z
    .array(question, 'must be a list of questions')
    .min(1, 'must not be empty')
    .max(mostQuestions, `must have at most ${mostQuestions} entries`)
    .describe('Names must be unique.'),
  prompt_cache_key: words.nullish().describe("OpenAI's."),
  prompt_cache_options: z.looseObject({}).nullish().describe("OpenAI's."),
  safety_identifier: words.nullish().describe('Names the end user; only OpenAI gets it.'),
  ...routingMembers,
});

const stateQuestion = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      type: z.literal('noul'),
      instructions: words.min(1, 'must not be empty'),
      criteria: z
        .strictObject({ true: z.string().optional(), false: z.string().optional() })
        .optional()
        .describe('What true and false mean.'),
    }),
    z.strictObject({
      type: z.literal('choice'),
      instructions: words.min(1, 'must not be empty'),
      criteria: z.record(z.string(), z.string()).describe('What each option means.'),
    }),
    z.strictObject({
      type: z.literal('score'),
      instructions: words.min(1, 'must not be empty'),
      criteria: z.array(z.string()).min(1, 'must not be empty').max(10, 'must have at most 10 entries'),
    }),
  ],
  'must have the type `noul`, `choice` or `score`',
);

export const stateRequest = z.strictObject({
  model: words.min(1, 'must not be empty'),
  state: z
    .union(
      [z.string(), z.number(), z.boolean(), z.array(z.unknown()), z.record(z.string(), z.unknown())],
      'must be JSON',
    )
    .describe('What the questions are about: text or any other JSON.'),
  questions: z.record(name, stateQuestion, 'must be questions by their names').describe('Up to 400.'),
  ...routingMembers,
});

const probability = z.number().min(0).max(1);
const usage = z.looseObject({ input_tokens: z.int(), output_tokens: z.int(), cost: z.number().optional() });
const metadata = z.looseObject({ request_id: z.string() });
const named = { name: z.string().nullable() };

const decisionAnswer = z.object({
  model: z.string(),
  answers: z.array(
    z.union([
      z.object({ type: z.literal('predicate'), ...named, probability }),
      z.object({
        type: z.literal('choice'),
        ...named,
        choice: z.union([z.string(), z.boolean()]),
        confidence: z.number(),
        probabilities: z.array(z.object({ value: z.union([z.string(), z.boolean()]), probability })),
      }),
      z.object({
        type: z.literal('score'),
        ...named,
        score: z.number(),
        confidence: z.number(),
        probabilities: z.array(z.object({ label: z.string(), value: z.number(), probability })),
      }),
      z.object({ type: z.literal('refusal'), ...named }),
    ]),
  ),
  usage,
  metadata,
});

const stateAnswer = z.object({
  model: z.string(),
  answers: z.record(
    z.string(),
    z.union([
      z.object({ type: z.literal('noul'), noul: probability }),
      z.object({
        type: z.literal('choice'),
        choice: z.string(),
        confidence: z.number(),
        probabilities: z.record(z.string(), probability),
      }),
      z.object({
        type: z.literal('score'),
        score: z.number().describe('From 0, the first level.'),
        confidence: z.number(),
        legend: z.record(z.string(), z.string()),
        probabilities: z.record(z.string(), probability),
      }),
      z.object({ type: z.literal('refusal') }),
    ]),
  ),
  usage,
  metadata,
});

const text = 'The payout has failed for three days. Please help today!';

const example = {
  model: 'sandbox-decision',
  input: text,
  questions: [
    { type: 'predicate', name: 'urgent', instructions: 'The writer needs help today.' },
    {
      type: 'choice',
      instructions: 'Who answers?',
      choices: [{ value: 'billing', description: 'payout' }, { value: 'sales' }],
    },
  ],
};

const stateExample = {
  model: 'sandbox-decision',
  state: { subject: 'payout', text },
  questions: {
    urgent: { type: 'noul', instructions: 'The writer needs help today.' },
    anger: { type: 'score', instructions: 'How angry is the writer?', criteria: ['calm', 'annoyed', 'furious'] },
  },
};

const shared = { tag: 'Decisions', headers: [...routingHeaders, 'X-No-Cache'] } as const;

export const decisionsDescription: EndpointDescription = {
  ...shared,
  id: 'createDecision',
  summary: "Answers questions about a text with probabilities, in the format of OpenAI's decisions API.",
  description: `The models of every vendor that decides, whichever format it has. Only what is read is billed. Requests count towards
the limits of chats.`,
  body: { [json]: { schema: decisionRequest, examples: { plain: { summary: 'Two questions', value: example } } } },
  answers: { 200: { description: 'The answers, in order.', content: { [json]: { schema: decisionAnswer } } } },
};

export const systemOneDescription: EndpointDescription = {
  ...shared,
  id: 'createSystemOneDecision',
  summary: "The same in the format of TypeSafe's System One: questions have names.",
  description:
    'Images are sent to `/v1/decisions`. A question that the model declines has an answer of the type `refusal`.',
  body: { [json]: { schema: stateRequest, examples: { plain: { summary: 'Two questions', value: stateExample } } } },
  answers: { 200: { description: 'The answers by name.', content: { [json]: { schema: stateAnswer } } } },
};
