import type { GatewayError, Offer } from '@tallyport/contracts';
import type { RealtimeApi, RealtimeCall } from '@tallyport/providers';
import type { Targets } from '../targets/targets.ts';
import { type CallQuestion, planCall, unsupportedCall } from './plan-call.ts';
import type { Plan, PlanGround } from './plan.ts';

/** Plans a realtime session. Pure. Throws like `planChat`. */
export const planRealtime = (
  question: CallQuestion<RealtimeCall>,
  targets: Pick<Targets, 'custom'>,
  ground: PlanGround,
): Plan =>
  planCall(
    question,
    {
      modality: 'realtime',
      refusal: ({ realtime }, offer) =>
        realtime !== undefined && realtime.api !== question.call.api
          ? otherApi(realtime.api, offer)
          : priceUnknown(offer),
    },
    { targets, ground },
  );

const addresses: Readonly<Record<RealtimeApi, string>> = {
  live: '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
  realtime: '/v1/realtime',
};

const otherApi = (api: RealtimeApi, { modelName, providerId }: Offer): GatewayError =>
  unsupportedCall('model', `Sessions are not translated. Open '${modelName}' at ${providerId} as ${addresses[api]}.`);

/** A budget could not end a session without prices. */
const priceUnknown = ({ pricing, modelName, providerId }: Offer): GatewayError | undefined =>
  pricing.audio_input === undefined || pricing.audio_output === undefined
    ? unsupportedCall('model', `The prices of '${modelName}' at ${providerId} are not known. Use another model.`)
    : undefined;
