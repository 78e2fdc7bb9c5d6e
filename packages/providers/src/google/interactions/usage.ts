import type { ServerToolUse, Usage } from '@tallyport/wire';
import { items, type Members, members, text } from '../../read.ts';
import { tokenCount } from '../../token-counts.ts';
import { groundedPrompts } from '../groundings.ts';
import { geminiUsage } from '../usage.ts';

/** The usage of an interaction: that of the vendor's other API under other names. */
export function usageOfInteraction({ usage: raw, service_tier: tier }: Members, model: string): Usage | undefined {
  const usage = members(raw);
  const renamed = Object.entries(usage).map(([name, value]): [string, unknown] => [
    names.get(name) ?? name,
    countOf(name, value),
  ]);
  const { candidatesTokenCount, ...others } = Object.fromEntries(renamed);
  const counts = { ...others, candidatesTokenCount: visibleOf(usage) ?? candidatesTokenCount, serviceTier: tier };
  return geminiUsage(counts, groundingsOf(usage, model));
}

/** Other counts keep their names, by which they are reported as unknown. */
const names: ReadonlyMap<string, string> = new Map([
  ['total_input_tokens', 'promptTokenCount'],
  ['total_output_tokens', 'candidatesTokenCount'],
  ['total_thought_tokens', 'thoughtsTokenCount'],
  ['total_cached_tokens', 'cachedContentTokenCount'],
  ['total_tool_use_tokens', 'toolUsePromptTokenCount'],
  ['total_tokens', 'totalTokenCount'],
  ['initial_input_tokens', 'initialPromptTokenCount'],
  ['input_tokens_by_modality', 'promptTokensDetails'],
  ['output_tokens_by_modality', 'candidatesTokensDetails'],
  ['cached_tokens_by_modality', 'cacheTokensDetails'],
  ['tool_use_tokens_by_modality', 'toolUsePromptTokensDetails'],
]);

const groundingCounts = 'grounding_tool_count';

/** How often tools ran is counted apart. */
function countOf(name: string, value: unknown): unknown {
  if (name === groundingCounts) return unknownGroundings(value);
  return name.endsWith('_by_modality') ? items(value).map(detailOf) : value;
}

const detailOf = (detail: unknown) => {
  const { modality, tokens } = members(detail);
  return { modality: text(modality)?.toUpperCase(), tokenCount: tokens };
};

/** Whether the answer's tokens include its thoughts is seen from the total. */
function visibleOf(usage: Members): number | undefined {
  const [input = 0, output, thought = 0, tools = 0, total] = [
    usage.total_input_tokens,
    usage.total_output_tokens,
    usage.total_thought_tokens,
    usage.total_tool_use_tokens,
    usage.total_tokens,
  ].map(tokenCount);
  const includes = output !== undefined && thought > 0 && output >= thought && total === input + output + tools;
  return includes ? output - thought : undefined;
}

const billed = { google_search: 'grounding_search_requests', google_maps: 'grounding_maps_requests' } as const;
const isBilled = (type: unknown): type is keyof typeof billed =>
  typeof type === 'string' && Object.hasOwn(billed, type);

/** What the vendor bills for grounding an answer. */
function groundingsOf(usage: Members, model: string): ServerToolUse | undefined {
  const found = items(usage[groundingCounts]).flatMap((each) => {
    const { type, count } = members(each);
    const times = tokenCount(count) ?? 0;
    return isBilled(type) && times > 0 ? [[billed[type], groundedPrompts(times, model)] as const] : [];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

const unknownGroundings = (counts: unknown): unknown[] => items(counts).filter((each) => !isBilled(members(each).type));
