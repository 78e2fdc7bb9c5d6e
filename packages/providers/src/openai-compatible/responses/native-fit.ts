import type { Offer } from '@tallyport/contracts';
import type { NativeRequest } from '@tallyport/wire';
import { items, type Members, members } from '../../read.ts';

/** Agents send the same members to every model, and each generation of models refuses some of them. */
export const fitsResponses = ({ members: body }: NativeRequest, offer: Offer): boolean =>
  offer.reasoning ? fitsReasoning(body, offer) : fitsPlain(body);

function fitsReasoning(body: Members, { modelName, reasoningEfforts }: Offer): boolean {
  const { effort } = members(body.reasoning);
  const samples = effort === 'none' || !samplingHints.some((name) => body[name] != null && body[name] !== 1);
  const knowsEffort =
    effort == null || reasoningEfforts === undefined || reasoningEfforts.some((each) => each === effort);
  return samples && knowsEffort && !(/^o\d/.test(modelName) && setsVerbosity(body));
}

const samplingHints = ['temperature', 'top_p', 'top_logprobs'];

const fitsPlain = (body: Members): boolean =>
  members(body.reasoning).effort == null &&
  members(body.reasoning).summary == null &&
  !setsVerbosity(body) &&
  !items(body.include).includes('reasoning.encrypted_content');

const setsVerbosity = ({ text: format }: Members): boolean => (members(format).verbosity ?? 'medium') !== 'medium';
