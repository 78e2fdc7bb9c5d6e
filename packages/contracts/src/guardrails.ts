import { z } from 'zod';
import { byName } from './by-name.ts';
import { guardWebhookName } from './guard-webhooks.ts';

/** What can be found in texts without a pattern of the account. */
export const detectorNames = ['api_key', 'card', 'email', 'iban', 'ip_address', 'jwt', 'phone', 'private_key'] as const;
export type DetectorName = (typeof detectorNames)[number];

/** `redact` replaces the text by a placeholder, `block` refuses the request or ends the answer. */
const action = z.enum(['block', 'redact']);
export type GuardrailAction = z.infer<typeof action>;

const mostPatterns = 20;
const longestPattern = 200;

const ruleName = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'must be 1 to 40 of a-z, 0-9, - and _');

const patternSchema = z.strictObject({
  /** Appears in errors, logs and records, so it must not reveal what is searched for. */
  name: ruleName,
  /** In the syntax of RE2, matched anywhere in a text. `(?i)` ignores case. */
  pattern: z.string().min(1).max(longestPattern),
  action,
});

const detect = z.strictObject(byName(detectorNames, () => action.optional()));

const characters = z.int().min(1).max(100_000_000);

/** How a webhook or a model that decides about texts is asked. */
const asking = {
  /** What happens to a request or an answer about which it does not decide. */
  onFailure: z.enum(['allow', 'block']),
  timeoutMs: z.int().min(100).max(10_000).optional(),
};

const askingAnswers = {
  /** Of a streamed answer, how many characters are held back and sent at a time. */
  portion: z.int().min(200).max(32_768).optional(),
};

/** A webhook of the account is asked about the texts after the rules that search them. */
const requestWebhook = z.strictObject({ name: guardWebhookName, ...asking });

const answerWebhook = requestWebhook.extend(askingAnswers);

const decisionAction = z.enum(['allow', 'block', 'flag']);
const mostPolicies = 10;
const mostLabels = 20;

const policySchema = z.strictObject({
  /** Appears in errors, logs and records. */
  name: ruleName,
  /** A statement that may be true of the texts; with labels, a question whose answer is one of them. */
  policy: z.string().trim().min(1).max(1_000),
  /** What happens if the statement is true. */
  action: decisionAction.exclude(['allow']).optional(),
  /** What each answer does. */
  labels: z
    .record(ruleName, decisionAction)
    .refine(
      (labels) => Object.keys(labels).length >= 2 && Object.keys(labels).length <= mostLabels,
      `must have 2 to ${mostLabels} labels`,
    )
    .optional(),
  /** The least probability that counts; a half when missing. */
  threshold: z.number().min(0).max(1).optional(),
});

const policies = z
  .array(
    policySchema.refine(
      ({ action: acts, labels }) => (acts === undefined) !== (labels === undefined),
      'must have either `action` or `labels`',
    ),
  )
  .min(1)
  .max(mostPolicies);

/** A decision model is asked about the texts after all other rules, once for all policies. */
const requestDecision = z.strictObject({ model: z.string().trim().min(1).max(200), policies, ...asking });

const answerDecision = requestDecision.extend(askingAnswers);

const requestChecks = z.strictObject({
  patterns: z.array(patternSchema).max(mostPatterns).optional(),
  detect: detect.optional(),
  /** Of all texts of a request together; more is blocked. */
  maxCharacters: characters.optional(),
  /** What happens to texts that patterns have not searched when the time of a request is over; `block` when missing. */
  onTimeout: z.enum(['allow', 'block']).optional(),
  webhook: requestWebhook.optional(),
  decision: requestDecision.optional(),
});

const answerChecks = requestChecks.extend({
  webhook: answerWebhook.optional(),
  decision: answerDecision.optional(),
  /** How many characters of a streamed answer are held back at most, so that matches are found before they are sent. */
  holdBack: z.int().min(64).max(4096).optional(),
});

/** What an account or a key forbids. The policies of both apply. */
export const guardrailsSchema = z.strictObject({
  request: requestChecks.optional(),
  answer: answerChecks.optional(),
});

const known = { patterns: z.array(patternSchema.strip()).optional(), detect: detect.strip().optional() };
const knownPolicies = { policies: z.array(policySchema.strip()) };

/** Guardrails stored or sent by another version: unknown members are dropped, because a request must not fail over them. */
export const knownGuardrailsSchema = z.object({
  request: requestChecks
    .extend({
      ...known,
      webhook: requestWebhook.strip().optional(),
      decision: requestDecision.extend(knownPolicies).strip().optional(),
    })
    .strip()
    .optional(),
  answer: answerChecks
    .extend({
      ...known,
      webhook: answerWebhook.strip().optional(),
      decision: answerDecision.extend(knownPolicies).strip().optional(),
    })
    .strip()
    .optional(),
});

export type Guardrails = z.infer<typeof guardrailsSchema>;
export type GuardrailPattern = z.infer<typeof patternSchema>;
export type GuardrailChecks = z.infer<typeof answerChecks>;
export type DecisionPolicy = z.infer<typeof policySchema>;

/**
 * What a rule did to a request and its answer: its name and a count, never the text. `flag`: it only says so. `skip`: a
 * webhook or a model did not decide, or patterns were not finished in time, and the rules allow that.
 */
export const findingSchema = z.object({
  rule: z.string().max(60),
  action: z.enum([...action.options, 'flag', 'skip']),
  count: z.int().min(1),
});

export type Finding = z.infer<typeof findingSchema>;
