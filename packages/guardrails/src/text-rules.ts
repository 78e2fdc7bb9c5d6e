import {
  type DetectorName,
  detectorNames,
  type GuardrailAction,
  type GuardrailChecks,
  type GuardrailPattern,
} from '@tallyport/contracts';
import { detectors } from './detectors/index.ts';
import { combineDecisions, type DecisionRule } from './decision-rules.ts';
import { combineWebhooks, type WebhookRule } from './webhook-rules.ts';
import { compilePattern } from './patterns.ts';
import type { IsOver } from './read-text.ts';
import type { TextSpan } from './span.ts';

/** One rule that looks at texts. */
export interface TextRule {
  /** In errors, findings and placeholders: the name of a detector or of a pattern. */
  name: string;
  action: GuardrailAction;
  /** A pattern throws `SearchTimeout` once `isOver` says so. */
  find(text: string, isOver: IsOver): TextSpan[];
}

/** The rules for the texts of requests or of answers. */
export interface TextRules {
  rules: readonly TextRule[];
  maxCharacters: number;
  /** What happens if rules are not finished in time. */
  onTimeout: 'allow' | 'block';
  /** Of a stream; see `guardrailsSchema`. */
  holdBack: number;
  asked: AskedRules;
}

/** Who decides about texts, asked one after the other after all other rules. */
export interface AskedRules {
  webhooks: readonly WebhookRule[];
  /** After the webhooks, so that their vendors get no text that a webhook replaces. */
  decisions: readonly DecisionRule[];
}

export const areAsked = ({ webhooks, decisions }: AskedRules): boolean => webhooks.length > 0 || decisions.length > 0;

const defaultHoldBack = 256;

/** Combines the checks of several policies: every rule applies, and the stricter value of each setting. */
export function compileRules(checks: readonly GuardrailChecks[], path: string): TextRules | undefined {
  const rules = [...detectorRules(checks), ...checks.flatMap(({ patterns = [] }) => patternRules(patterns, path))];
  const maxCharacters = Math.min(...checks.map((each) => each.maxCharacters ?? Infinity));
  const asked = {
    webhooks: combineWebhooks(checks.flatMap(({ webhook }) => webhook ?? [])),
    decisions: combineDecisions(checks.flatMap(({ decision }) => decision ?? [])),
  };
  if (rules.length === 0 && maxCharacters === Infinity && !areAsked(asked)) return undefined;
  const holdBack = Math.max(0, ...checks.map((each) => each.holdBack ?? 0)) || defaultHoldBack;
  return { rules, maxCharacters, onTimeout: onTimeoutOf(checks), holdBack, asked };
}

function onTimeoutOf(checks: readonly GuardrailChecks[]): 'allow' | 'block' {
  const named = checks.map(({ onTimeout }) => onTimeout);
  return named.includes('allow') && !named.includes('block') ? 'allow' : 'block';
}

function detectorRules(checks: readonly GuardrailChecks[]): TextRule[] {
  return detectorNames.flatMap((name) => {
    const action = strictest(checks.map(({ detect }) => detect?.[name]));
    return action === undefined ? [] : [detectorRule(name, action)];
  });
}

const detectorRule = (name: DetectorName, action: GuardrailAction): TextRule => ({
  name,
  action,
  find: detectors[name],
});

const strictest = (actions: readonly (GuardrailAction | undefined)[]): GuardrailAction | undefined =>
  actions.includes('block') ? 'block' : actions.find((action) => action !== undefined);

const patternRules = (patterns: readonly GuardrailPattern[], path: string): TextRule[] =>
  patterns.map(({ name, pattern, action }, at) => ({
    name,
    action,
    find: compilePattern(pattern, `${path}.patterns[${at}].pattern`).find,
  }));
