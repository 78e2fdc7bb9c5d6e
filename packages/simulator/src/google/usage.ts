import {
  type ArrivedRequest,
  type ChatQuestion,
  isObject,
  type JsonObject,
  metered,
  type Metered,
  objectsOf,
  promptTokenCount,
  requestedSearches,
  requestedTier,
  type TokenCounts,
  unknownUsage,
} from '@tallyport/sandbox';
import { audioTokens, type AudioTokens } from './audio-tokens.ts';

/** The usage that an answer reports besides its text, and what the vendor bills. */
export interface GoogleUse {
  readonly spent: TokenCounts;
  readonly audio: AudioTokens;
  /** The tokens of the images, in addition to the text's. */
  readonly imageTokens: number;
  /** The tokens of what tools read. */
  readonly toolTokens: number;
  readonly searches: readonly string[];
  readonly unknown: object;
  readonly tier: string;
  readonly metered: Metered;
}

interface Spending {
  readonly body: JsonObject;
  readonly question: ChatQuestion;
  readonly spent: TokenCounts;
  readonly imageTokens: number;
  readonly request: ArrivedRequest;
}

/** The tokens of one page. */
const pageTokens = 120;

export function googleUse({ body, question, spent: all, imageTokens, request }: Spending): GoogleUse {
  const asked = question.lastText;
  const has = (tool: string): boolean => objectsOf(body.tools).some((each) => isObject(each[tool]));
  // What a search finds is not charged, what is read at an address is.
  const toolTokens = has('urlContext') ? pageTokens : 0;
  const count = has('googleSearch') ? requestedSearches(asked) : 0;
  const searches = Array.from({ length: count }, (_, at) => `simulated ${at + 1}`);
  const tier = requestedTier(asked) ?? askedTier(body, request);
  const unknown = unknownUsage(asked);
  // Writing to the cache costs nothing.
  const spent = { ...all, fresh: all.fresh + all.cacheWrite, cacheWrite: 0 };
  const audio = audioTokens(body, spent);
  const text = { ...spent, fresh: spent.fresh - audio.fresh, cacheRead: spent.cacheRead - audio.cacheRead };
  return {
    spent,
    audio,
    imageTokens,
    toolTokens,
    searches,
    unknown: unknown.members,
    tier,
    metered: metered(text, {
      tier,
      more: [
        { of: 'audio_input', count: audio.fresh },
        { of: 'audio_cache_read', count: audio.cacheRead },
        { of: 'image_output', count: imageTokens },
        { of: 'tool_prompt', count: toolTokens },
        // The second generation charges a grounded prompt, later ones each search.
        { of: 'grounding', count: question.model.startsWith('gemini-2') ? Math.min(1, count) : count },
        ...unknown.counts,
      ],
    }),
  };
}

/** `SERVICE_TIER_FLEX` and `flex` are the same. Vertex has a header for it. */
function askedTier({ serviceTier }: JsonObject, { headers }: ArrivedRequest): string {
  const asked = serviceTier ?? headers[sharedRequestType] ?? 'standard';
  return String(asked).replace('SERVICE_TIER_', '').toLowerCase();
}

export const sharedRequestType = 'x-vertex-ai-llm-shared-request-type';

/** The members of the usage that depend on the host, of which only Vertex reports the tier in the body. */
export const trafficOf = (host: string, { tier }: GoogleUse): object =>
  host === 'google-vertex'
    ? { trafficType: tier === 'standard' ? 'ON_DEMAND' : `ON_DEMAND_${tier.toUpperCase()}` }
    : {};

export const promptOf = ({ spent }: GoogleUse): number => promptTokenCount(spent);
