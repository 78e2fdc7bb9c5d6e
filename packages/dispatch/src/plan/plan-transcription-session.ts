import { GatewayError, type Offer } from '@tallyport/contracts';
import type { ChatProvider } from '@tallyport/providers';
import type { Targets } from '../targets/targets.ts';
import { type CallDemands, type CallQuestion, planCall, callQuestionOf, unsupportedCall } from './plan-call.ts';
import { modelsFor, type Plan, type PlanGround } from './plan.ts';

/** `model` may be absent: the client names it within the session. */
type SessionQuestion = Omit<CallQuestion<unknown>, 'call' | 'model'> & { model: string | undefined };

/**
 * Plans a realtime session that only transcribes. Without a model it is that of the first one which the caller may use in
 * such a session. Pure. Throws like `planChat`.
 */
export function planTranscriptionSession(
  question: SessionQuestion,
  targets: Pick<Targets, 'custom'>,
  ground: PlanGround,
): Plan {
  const { model = modelsFor(callQuestionOf({ ...question, model: '' }, demands, targets), ground)[0]?.id } = question;
  if (model === undefined) throw noModel();
  return planCall({ ...question, model }, demands, { targets, ground });
}

const demands: CallDemands = { modality: 'transcriptions', refusal };

function refusal({ realtime }: ChatProvider, { modelName, providerId, pricing }: Offer): GatewayError | undefined {
  if (realtime?.api !== 'realtime')
    return unsupportedCall('model', `${providerId} has no sessions that transcribe. Use /v1/audio/transcriptions.`);
  if (Object.keys(pricing).length > 0) return undefined;
  return unsupportedCall('model', `The price of '${modelName}' at ${providerId} is not known. Use another model.`);
}

const noModel = (): GatewayError =>
  new GatewayError(
    'unsupported_capability',
    'No provider of yours has a transcription model for sessions. Use /v1/audio/transcriptions.',
    { param: 'intent' },
  );
