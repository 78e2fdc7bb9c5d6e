import type { GatewayError, Offer } from '@tallyport/contracts';
import type { DecisionCall } from '@tallyport/providers';
import type { Targets } from '../targets/targets.ts';
import { type CallQuestion, memberRefusal, planCall, unsupportedCall } from './plan-call.ts';
import type { Plan, PlanGround } from './plan.ts';

/** Plans a request for decisions. Pure. Throws like `planChat`. */
export const planDecisions = (
  question: CallQuestion<DecisionCall>,
  targets: Pick<Targets, 'custom'>,
  ground: PlanGround,
): Plan =>
  planCall(
    question,
    {
      modality: 'decisions',
      refusal: ({ decisions }, offer) => refusalOf(decisions?.unsupported(question.call, offer), offer),
    },
    { targets, ground },
  );

function refusalOf(member: string | undefined, offer: Offer): GatewayError | undefined {
  const { providerId } = offer;
  if (member === 'input') return unsupportedCall(member, `${providerId} decides about texts only. Leave images out.`);
  if (member !== 'questions') return memberRefusal(member, offer);
  const message = `${providerId} takes choices with 2 or more different texts and scores with up to 10 levels. Change the questions.`;
  return unsupportedCall(member, message);
}
