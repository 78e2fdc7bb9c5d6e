import type { SpeechCall } from '@tallyport/providers';
import type { Targets } from '../targets/targets.ts';
import { type CallQuestion, memberRefusal, planCall } from './plan-call.ts';
import type { Plan, PlanGround } from './plan.ts';

/** Plans a request for speech. Pure. Throws like `planChat`. */
export const planSpeech = (
  question: CallQuestion<SpeechCall>,
  targets: Pick<Targets, 'custom'>,
  ground: PlanGround,
): Plan =>
  planCall(
    question,
    {
      modality: 'speech',
      refusal: ({ speech }, offer) => memberRefusal(speech?.unsupported(question.call, offer), offer),
    },
    { targets, ground },
  );
