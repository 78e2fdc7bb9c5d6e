import type { Offer } from '@tallyport/contracts';
import type { NativeRequest } from '@tallyport/wire';
import { claudeNames } from './names.ts';
import { items, type Members, members } from '../read.ts';
import { claudeRules, type ClaudeRules } from './models.ts';

/** The version of the API that is used unless the client chose another one. */
export const anthropicVersion = '2023-06-01';

/** Agents send the same members to every model, and each generation of models refuses some of them. */
export function fitsModel({ members: body, headers }: NativeRequest, { modelName, tiers }: Offer): boolean {
  const rules = claudeRules(modelName);
  const version = headers['anthropic-version'] ?? anthropicVersion;
  return (
    (body.speed !== 'fast' || tiers?.['fast'] !== undefined) &&
    fitsThinking(body, rules) &&
    fitsOutput(body, rules) &&
    fitsNames(body) &&
    fitsSampling(body, version === anthropicVersion ? rules.sampling : 'none') &&
    fitsMessages(items(body.messages).map(members), rules)
  );
}

/** A translation sends other names in place of those that the vendor refuses. */
const fitsNames = ({ tools }: Members): boolean =>
  items(tools)
    .map(members)
    .every(({ name }) => typeof name !== 'string' || claudeNames.test(name));

function fitsThinking(body: Members, { thinking, thinkingOff }: ClaudeRules): boolean {
  switch (members(body.thinking).type) {
    case 'adaptive':
      return thinking === 'adaptive';
    case 'enabled':
      return thinking === 'budget';
    case 'disabled':
      return thinkingOff;
    default:
      return true;
  }
}

function fitsOutput(body: Members, { efforts, schemas }: ClaudeRules): boolean {
  const { effort, format } = members(body.output_config);
  return (effort == null || efforts.some((each) => each === effort)) && (format == null || schemas);
}

/** Only models that decide about their thinking take instructions in the middle of a conversation. */
function fitsMessages(messages: readonly Members[], { prefill, thinking }: ClaudeRules): boolean {
  if (!prefill && messages.at(-1)?.role === 'assistant') return false;
  if (thinking !== 'adaptive' && messages.some(({ role }) => role === 'system')) return false;
  return !messages.some(({ content }) => items(content).some(isForeignThought));
}

/** Thinking of another vendor's model has no signature. */
export const isForeignThought = (block: unknown): boolean => {
  const { type, signature } = members(block);
  return type === 'thinking' && signature === '';
};

/** Later versions of the API refuse all of these members. */
function fitsSampling({ temperature, top_p, top_k }: Members, sampling: ClaudeRules['sampling']): boolean {
  if (sampling === 'none') return (temperature ?? top_p ?? top_k) == null;
  return sampling === 'all' || temperature == null || top_p == null;
}
