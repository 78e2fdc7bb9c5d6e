import type { DecisionPolicy } from '@tallyport/contracts';
import type { DecisionCall, DecisionQuestion } from '@tallyport/providers';

interface AskedTexts {
  texts: readonly string[];
  before?: readonly string[] | undefined;
}

/** Of all texts together. Longer ones count as not decided: the end of a text could be what the policy is about. */
export const mostDecisionCharacters = 200_000;

/** All policies about all texts, as one call; `undefined` if they are too long. */
export function decisionCall(policies: readonly DecisionPolicy[], asked: AskedTexts): DecisionCall | undefined {
  const { texts, before = [] } = asked;
  const all = texts.map((text, at) => `${before[at] ?? ''}${text}`);
  const characters = all.reduce((sum, text) => sum + text.length, 0);
  if (characters > mostDecisionCharacters) return undefined;
  const questions = policies.map((policy, at) => questionOf(policy, `policy_${at + 1}`));
  return { subject: { kind: 'input', input: all.join('\n\n') }, questions, hints: {} };
}

function questionOf({ policy: instructions, labels }: DecisionPolicy, name: string): DecisionQuestion {
  if (labels === undefined) return { type: 'predicate', name, instructions };
  return { type: 'choice', name, instructions, choices: Object.keys(labels).map((value) => ({ value })) };
}
