import { GatewayError, type Offer } from '@switchyard/contracts';
import type { ChatRequest } from '@switchyard/wire';

/** What a vendor with a format of its own has a counterpart for. */
export interface Abilities {
  logprobs: boolean;
  /** What its answers can be besides text. */
  outputs: readonly string[];
  audioInput: boolean;
}

/** The member whose loss would change what the answer means; hints about sampling may be lost. */
export function unsupportedMember(request: ChatRequest, abilities: Abilities): string | undefined {
  if (!abilities.logprobs && request.logprobs === true) return 'logprobs';
  if (!abilities.logprobs && (request.top_logprobs ?? 0) > 0) return 'top_logprobs';
  const wanted = request.modalities ?? [];
  if (wanted.some((output) => output !== 'text' && !abilities.outputs.includes(output))) return 'modalities';
  if (request.tools?.some(({ type }) => type === 'custom')) return 'tools';
  return !abilities.audioInput && speaks(request) ? 'messages' : undefined;
}

const speaks = ({ messages }: ChatRequest): boolean =>
  messages.some(
    ({ role, content }) =>
      role === 'user' && Array.isArray(content) && content.some(({ type }) => type === 'input_audio'),
  );

export const unsupportedCapability = (offer: Offer, member: string): GatewayError =>
  new GatewayError('unsupported_capability', `${member}: ${offer.modelName} of ${offer.providerId} cannot do this.`, {
    param: member,
  });
