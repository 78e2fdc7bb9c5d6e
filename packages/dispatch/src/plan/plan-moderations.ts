import type { GatewayError, Offer } from '@tallyport/contracts';
import type { ModerationCall } from '@tallyport/providers';
import type { Targets } from '../targets/targets.ts';
import { type CallQuestion, memberRefusal, planCall, unsupportedCall } from './plan-call.ts';
import type { Plan, PlanGround } from './plan.ts';

/** Plans a moderation. Pure. Throws like `planChat`. */
export const planModerations = (
  question: CallQuestion<ModerationCall>,
  targets: Pick<Targets, 'custom'>,
  ground: PlanGround,
): Plan =>
  planCall(
    question,
    {
      modality: 'moderations',
      refusal: ({ moderations }, offer) => refusalOf(moderations?.unsupported(question.call, offer), offer),
    },
    { targets, ground },
  );

function refusalOf(member: string | undefined, offer: Offer): GatewayError | undefined {
  if (member !== 'input') return memberRefusal(member, offer);
  return unsupportedCall('input', `${offer.providerId} accepts only text as \`input\`.`);
}
