import { claudeMarking } from '../cache-marks/cache-marking.ts';
import { withMarkedParts } from '../conversation/marked-parts.ts';
import { mistralsInOrder } from '../mistral/role-order.ts';
import { cacheMarks } from '../openai-compatible/cache-marks.ts';
import { openAiCompatible } from '../openai-compatible/chat.ts';
import { finiteNumber, type Members, members } from '../read.ts';
import { openrouterAddress } from './address.ts';

/** Formats that only the vendors' own APIs know. */
const foreignFormats: ReadonlySet<unknown> = new Set(['MiniMax-response-v1', 'aws-bedrock-v1']);

/** Of Gemini's signatures, it knows those that it made, which name their call. */
function isKnownDetail(detail: unknown): boolean {
  const { format, id } = members(detail);
  return !foreignFormats.has(format) && (format !== 'google-gemini-v1' || id !== undefined);
}

/**
 * With a vendor's own key, `cost` is the fee of OpenRouter alone, and the vendor bills `upstream_inference_cost`. In other
 * answers that is a part of `cost`; older ones do not say which they are.
 */
function costOf(usage: Members): number | undefined {
  const cost = finiteNumber(usage.cost);
  const upstream = finiteNumber(members(usage.cost_details).upstream_inference_cost) ?? 0;
  if (cost === undefined || upstream <= 0) return cost;
  const isOwnKey = usage.is_byok === true || (usage.is_byok === undefined && upstream > cost);
  return isOwnKey ? Number((cost + upstream).toPrecision(15)) : cost;
}

export const openrouter = openAiCompatible({
  ...openrouterAddress,
  // Its list of models needs no key.
  keyCheckPath: '/key',
  maxChoices: 1,
  members: ['cache_control', 'debug', 'plugins', 'preset', 'route', 'session_id', 'trace', 'transforms'],
  // Most other models are cached without marks.
  cacheMarking: (offer) => (offer.modelName.startsWith('anthropic/') ? claudeMarking(offer) : undefined),
  quirks: {
    cacheMarks,
    files: 'url',
    request: { rename: { max_completion_tokens: 'max_tokens' }, mostStops: 4 },
    toolKinds: 'all',
    keepOwn: ['reasoning', 'image_config', 'usage'],
    keepInMessages: ['reasoning_details'],
    thinkingWithCalls: { as: 'details', accepts: isKnownDetail },
    message: withMarkedParts,
    arrange: mistralsInOrder,
    usage(usage, raw) {
      const cost = costOf(raw);
      return cost === undefined ? usage : { ...usage, cost };
    },
  },
});
