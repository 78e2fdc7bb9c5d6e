import type { DecisionPolicy, Guardrails } from '@tallyport/contracts';
import { type FieldSpec, type FieldValues, problemAt } from '@tallyport/pages';
import { lineEntries } from './line-entries.ts';

type RulePart = keyof Guardrails;

const policiesHint =
  'One per line: a name, block or flag, and a statement: legal flag The text asks for legal advice. Or a name, labels and a question: topic weapons=block,other=allow What is the text about? With @0.8 after the actions, less likely answers do nothing.';

const modelName = (part: RulePart): string => `guardrails.${part}.decision.model`;
export const policiesName = (part: RulePart): string => `guardrails.${part}.decision.policies`;

export const decisionFields = (part: RulePart): FieldSpec[] => [
  {
    name: modelName(part),
    label: 'Decision model',
    kind: 'text',
    hint: 'A model that makes decisions. The account pays for each question; empty to ask none.',
  },
  { name: policiesName(part), label: 'Its policies', kind: 'lines', hint: policiesHint },
  {
    name: `guardrails.${part}.decision.onFailure`,
    label: 'If the model does not decide',
    kind: 'choice',
    onlyWith: modelName(part),
    choices: [
      { value: 'block', text: 'block' },
      { value: 'allow', text: 'let pass' },
    ],
  },
];

/** The policies of the form. Throws the problem of a line, or that no model is named. */
export function policiesIn(part: RulePart, fields: FieldValues): DecisionPolicy[] {
  const rule = 'must be a name, an action or labels, and a text';
  const policies = lineEntries(fields, { name: policiesName(part), read: policyIn, rule });
  if (policies.length > 0 && (fields[modelName(part)] ?? '').trim() === '')
    throw problemAt(modelName(part), 'Name the model that decides by these policies.');
  return policies;
}

function policyIn(line: string): DecisionPolicy | undefined {
  const [, name, acts, threshold, policy] = /^(\S+)\s+([^\s@]+)(?:@([\d.]+))?\s+(\S.*)$/.exec(line) ?? [];
  if (name === undefined || acts === undefined || policy === undefined) return undefined;
  const does = acts === 'block' || acts === 'flag' ? ({ action: acts } as const) : labelsIn(acts);
  return does && { name, policy, ...does, ...(threshold !== undefined && { threshold: Number(threshold) }) };
}

type Labels = NonNullable<DecisionPolicy['labels']>;

function labelsIn(text: string): { labels: Labels } | undefined {
  const pairs = text.split(',').map((pair) => /^([^=]+)=(allow|block|flag)$/.exec(pair));
  if (pairs.some((pair) => pair === null)) return undefined;
  return { labels: Object.fromEntries(pairs.map((pair) => [pair?.[1], pair?.[2]])) as Labels };
}

/** A policy as a line of the form. */
export function policyLine({ name, policy, action, labels = {}, threshold }: DecisionPolicy): string {
  const acts = action ?? labelsText(labels);
  return `${name} ${acts}${threshold === undefined ? '' : `@${threshold}`} ${policy.replaceAll(/\s+/g, ' ')}`;
}

/** What each label does: `weapons=block,other=allow`. */
export const labelsText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([label, action]) => `${label}=${action}`)
    .join(',');
