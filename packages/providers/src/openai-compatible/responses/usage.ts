import type { ServerToolUse, Usage } from '@tallyport/wire';
import { items, type Members, members } from '../../read.ts';
import { tierOfUsage } from '../../service-tier.ts';
import { hasNoCount, tokenCount } from '../../token-counts.ts';
import { type KnownMembers, unknownCounts } from '../../unknown-counts.ts';
import { lifetimesOf, writeLifetimes } from '../write-lifetimes.ts';
import { imageToolUsage } from './image-tool-usage.ts';

/** The usage of a response in a chat's counts, which are the same; `undefined` if it has none. */
export function usageOfResponse(body: Members): Usage | undefined {
  const raw = members(body.usage);
  const { input_tokens: input, output_tokens: output, total_tokens: total } = raw;
  if ((tokenCount(input) ?? tokenCount(output)) === undefined || hasNoCount(input, output)) return undefined;
  const prompt = tokenCount(input) ?? 0;
  const completion = tokenCount(output) ?? 0;
  const usage: Usage = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: tokenCount(total) ?? prompt + completion,
    ...tierOfUsage(body.service_tier),
  };
  const promptDetails = promptDetailsOf(members(raw.input_tokens_details));
  if (promptDetails !== undefined) usage.prompt_tokens_details = promptDetails;
  const reasoning = tokenCount(members(raw.output_tokens_details).reasoning_tokens);
  if (reasoning !== undefined) usage.completion_tokens_details = { reasoning_tokens: reasoning };
  addTools(usage, body);
  return usage;
}

function promptDetailsOf(details: Members): Usage['prompt_tokens_details'] {
  const cached = tokenCount(details.cached_tokens);
  const written = tokenCount(details.cache_write_tokens);
  if ((cached ?? written) === undefined) return undefined;
  const lifetimes = lifetimesOf(details);
  return {
    ...(cached !== undefined && { cached_tokens: cached }),
    ...(written !== undefined && { cache_write_tokens: written }),
    ...(lifetimes !== undefined && { cache_write_tokens_details: lifetimes }),
  };
}

/** Hosted tools are billed besides the usage. */
function addTools(usage: Usage, body: Members): void {
  const raw = members(body.tool_usage);
  const tools = toolsIn(body, tokenCount(members(raw.web_search).num_requests));
  if (tools !== undefined) usage.server_tool_use = tools;
  const drawn = imageToolUsage(body);
  if (drawn !== undefined) usage.other_models = [drawn];
  const unknown = [
    ...(unknownCounts(members(body.usage), known) ?? []),
    ...(unknownCounts(raw, knownTools) ?? []).map((name) => `tool_usage.${name}`.slice(0, 64)),
  ];
  if (unknown.length > 0) usage.unknown_classes = unknown;
}

/**
 * The number of searches is reported, except by older versions, which have only the calls. A session of the code
 * interpreter is one container, which several calls share.
 */
function toolsIn(body: Members, reportedSearches: number | undefined): ServerToolUse | undefined {
  let [searches, files] = [0, 0];
  const containers = new Set<unknown>();
  for (const item of items(body.output)) {
    const { type, container_id: container, action } = members(item);
    if (type === 'web_search_call') searches += isSearch(action) ? 1 : 0;
    else if (type === 'file_search_call') files += 1;
    else if (type === 'code_interpreter_call') containers.add(container);
  }
  searches = reportedSearches ?? searches;
  if (searches + files + containers.size === 0) return undefined;
  return {
    ...(searches > 0 && { web_search_requests: searches }),
    ...(files > 0 && { file_search_calls: files }),
    ...(containers.size > 0 && { code_interpreter_sessions: containers.size }),
  };
}

/** Opening a page that was found costs nothing. */
const isSearch = (action: unknown): boolean => (members(action).type ?? 'search') === 'search';

const known: KnownMembers = {
  input_tokens: true,
  output_tokens: true,
  total_tokens: true,
  input_tokens_details: { cached_tokens: true, cache_write_tokens: true, cache_write_tokens_details: writeLifetimes },
  output_tokens_details: { reasoning_tokens: true },
};

const knownTools: KnownMembers = { web_search: { num_requests: true }, image_gen: true };
