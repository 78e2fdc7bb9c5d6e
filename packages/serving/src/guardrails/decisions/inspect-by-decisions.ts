import { type DecisionPolicy, type Finding, GatewayError } from '@tallyport/contracts';
import { blocked, type DecisionRule, type GuardedPart, type RuleTally } from '@tallyport/guardrails';
import type { DecisionAnswer } from '@tallyport/providers';
import type { AskedDecision, Decider } from '../../decider/decider.ts';
import { decisionCall } from './decision-call.ts';

interface DecisionInspection extends Pick<AskedDecision, 'head' | 'signal'> {
  part: GuardedPart;
  texts: readonly string[];
  /** Of a stream: the end of what was sent already, for each text. */
  before?: readonly string[];
  decisions: readonly DecisionRule[];
  tally: RuleTally;
}

/**
 * Asks each model about all texts. Throws `guardrail_blocked`; `unavailable` if a model does not decide and its rule then
 * blocks; or the signal's reason.
 */
export async function inspectByDecisions(
  decider: Pick<Decider, 'ask'>,
  { decisions, texts, before, part, tally, ...request }: DecisionInspection,
): Promise<void> {
  // A webhook may have emptied them, and vendors refuse a question about nothing.
  if (texts.every((text) => text.trim() === '')) return;
  for (const rule of decisions) {
    const { model, policies, timeoutMs } = rule;
    const call = decisionCall(policies, { texts, before });
    const answers = call && (await decider.ask({ ...request, by: 'guardrail', model, call, timeoutMs }));
    act(
      policies.map((policy, at) => ({ policy, action: actionOf(policy, answers?.[at]) })),
      { rule, part, tally },
    );
  }
}

type PolicyAction = 'allow' | 'block' | 'flag' | 'undecided';

/** The least probability of a statement that counts as true. */
const likely = 0.5;

function actionOf({ action = 'flag', labels, threshold }: DecisionPolicy, answer?: DecisionAnswer): PolicyAction {
  if (labels !== undefined) return answer?.type === 'choice' ? labelAction(labels, answer, threshold) : 'undecided';
  if (answer?.type !== 'predicate') return 'undecided';
  return answer.probability >= (threshold ?? likely) ? action : 'allow';
}

function labelAction(
  labels: NonNullable<DecisionPolicy['labels']>,
  { chosen, probabilities }: Extract<DecisionAnswer, { type: 'choice' }>,
  threshold = 0,
): PolicyAction {
  const [action, probability] = [Object.values(labels)[chosen], probabilities[chosen]];
  if (action === undefined || probability === undefined) return 'undecided';
  return probability >= threshold ? action : 'allow';
}

interface DecidedPolicy {
  policy: DecisionPolicy;
  action: PolicyAction;
}

/** A policy that blocks outranks one that is undecided. */
function act(
  decided: readonly DecidedPolicy[],
  { rule, part, tally }: { rule: DecisionRule; part: GuardedPart; tally: RuleTally },
): void {
  const of = (action: PolicyAction): string[] =>
    decided.filter((each) => each.action === action).map(({ policy }) => `decision:${policy.name}`);
  const add = (names: readonly string[], action: Finding['action']): void => {
    for (const name of names) tally.add(name, action);
  };
  add(of('flag'), 'flag');
  const [blocking] = of('block');
  if (blocking !== undefined) {
    tally.add(blocking, 'block');
    throw blocked(blocking, part);
  }
  const open = of('undecided');
  add(open, rule.onFailure === 'allow' ? 'skip' : 'block');
  if (open.length > 0 && rule.onFailure === 'block') throw undecided(rule.model, part);
}

const undecided = (model: string, part: GuardedPart): GatewayError =>
  new GatewayError(
    'unavailable',
    `The model '${model}' of the account's guardrails did not decide about the ${part}. Try again later, or ask an admin of the account.`,
    { domain: 'policy' },
  );
