import type { GatewayError, Offer } from '@tallyport/contracts';
import type { RerankCall, RerankFormat } from '@tallyport/providers';
import type { Targets } from '../targets/targets.ts';
import { type CallQuestion, memberRefusal, planCall, unsupportedCall } from './plan-call.ts';
import type { Plan, PlanGround } from './plan.ts';

/** Plans a request to rank documents. Pure. Throws like `planChat`. */
export const planRerank = (
  question: CallQuestion<RerankCall>,
  targets: Pick<Targets, 'custom'>,
  ground: PlanGround,
): Plan =>
  planCall(
    question,
    { modality: 'rankings', refusal: ({ rankings }, offer) => rankings && refusalOf(rankings, question.call, offer) },
    { targets, ground },
  );

function refusalOf(format: RerankFormat, call: RerankCall, offer: Offer): GatewayError | undefined {
  const { mostDocuments } = format;
  if (call.documents.length <= mostDocuments) return memberRefusal(format.unsupported(call, offer), offer);
  const message = `${offer.providerId} ranks at most ${mostDocuments} documents at once. Send fewer.`;
  return unsupportedCall('documents', message);
}
