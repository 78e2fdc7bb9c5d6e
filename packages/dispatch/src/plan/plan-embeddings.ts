import { GatewayError, type Offer } from '@tallyport/contracts';
import type { EmbeddingCall, EmbeddingInput } from '@tallyport/providers';
import type { Targets } from '../targets/targets.ts';
import { leastTokens } from './needs.ts';
import { type CallQuestion, memberRefusal, planCall, unsupportedCall } from './plan-call.ts';
import type { Plan, PlanGround } from './plan.ts';

/** Plans a request for embeddings. Pure. Throws like `planChat`. */
export const planEmbeddings = (
  question: CallQuestion<EmbeddingCall>,
  targets: Pick<Targets, 'custom'>,
  ground: PlanGround,
): Plan =>
  planCall(
    question,
    {
      modality: 'embeddings',
      refusal: ({ embeddings }, offer) =>
        unsupportedIn(embeddings?.unsupported(question.call, offer), offer) ?? tooLong(question.call, offer),
    },
    { targets, ground },
  );

function unsupportedIn(member: string | undefined, offer: Offer): GatewayError | undefined {
  if (member !== 'input') return memberRefusal(member, offer);
  return unsupportedCall('input', `${offer.providerId} accepts only text as \`input\`, no tokens.`);
}

function tooLong({ inputs }: EmbeddingCall, { contextLength = Infinity, modelName }: Offer): GatewayError | undefined {
  const at = inputs.findIndex((input) => tokensOf(input) > contextLength);
  const input = inputs[at];
  if (input === undefined) return undefined;
  const message = `input[${at}] has at least ${tokensOf(input)} tokens, but '${modelName}' accepts ${contextLength}. Split it.`;
  return new GatewayError('context_length_exceeded', message, { param: `input[${at}]` });
}

const tokensOf = (input: EmbeddingInput): number =>
  typeof input === 'string' ? leastTokens(input.length) : input.length;
