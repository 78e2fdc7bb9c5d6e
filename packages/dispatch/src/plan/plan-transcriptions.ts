import type { TranscriptionCall } from '@tallyport/providers';
import type { Targets } from '../targets/targets.ts';
import { type CallQuestion, memberRefusal, planCall } from './plan-call.ts';
import type { Plan, PlanGround } from './plan.ts';

/** Plans a transcription or translation. Pure. Throws like `planChat`. */
export const planTranscriptions = (
  question: CallQuestion<TranscriptionCall>,
  targets: Pick<Targets, 'custom'>,
  ground: PlanGround,
): Plan =>
  planCall(
    question,
    {
      modality: 'transcriptions',
      refusal: ({ transcriptions }, offer) => memberRefusal(transcriptions?.unsupported(question.call, offer), offer),
    },
    { targets, ground },
  );
