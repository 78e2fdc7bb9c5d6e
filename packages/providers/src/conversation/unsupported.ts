import { GatewayError, type Offer } from '@tallyport/contracts';
import type { ChatRequest } from '@tallyport/wire';
import { type FetchesFile, unfetchedFile } from './file-addresses.ts';

/** Features of a vendor that has its own format. */
interface Abilities {
  logprobs: boolean;
  /** Output modalities besides text. */
  outputs: readonly string[];
  audioInput: boolean;
  /** Absent if the vendor fetches no files. */
  fetchesFile?: FetchesFile;
}

/**
 * The first member that the vendor cannot honour and whose loss would change the answer. Sampling hints may be dropped.
 */
export function unsupportedMember(request: ChatRequest, abilities: Abilities): string | undefined {
  if (!abilities.logprobs && request.logprobs === true) return 'logprobs';
  if (!abilities.logprobs && (request.top_logprobs ?? 0) > 0) return 'top_logprobs';
  const wanted = request.modalities ?? [];
  if (wanted.some((output) => output !== 'text' && !abilities.outputs.includes(output))) return 'modalities';
  if (request.tools?.some(({ type }) => type === 'custom')) return 'tools';
  if (!abilities.audioInput && hasAudioInput(request)) return 'messages';
  return unfetchedFile(request, abilities.fetchesFile);
}

const hasAudioInput = ({ messages }: ChatRequest): boolean =>
  messages.some(
    ({ role, content }) =>
      role === 'user' && Array.isArray(content) && content.some(({ type }) => type === 'input_audio'),
  );

export const unsupportedCapability = (offer: Offer, member: string): GatewayError =>
  new GatewayError(
    'unsupported_capability',
    `${member}: ${offer.modelName} of ${offer.providerId} does not support this.`,
    {
      param: member,
    },
  );
