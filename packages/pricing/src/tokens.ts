import { type ToolClass, toolClasses, type Tokens } from '@tallyport/contracts';
import type { ImagesUsage, OtherModelUsage, ServerToolUse, Usage } from '@tallyport/wire';

export interface CountedTokens {
  readonly tokens: Tokens;
  /** The reported counts were impossible: parts larger than their whole, negative or absurd numbers. */
  readonly adjusted: boolean;
  /** Billed in place of tokens, if there were any. */
  readonly searchUnits?: number;
  /** Uses of the vendor's own tools, if there were any. */
  readonly tools?: ToolCounts;
  readonly otherModels?: readonly OtherModelUsage[];
  /** Where the model ran, if this may have a price. */
  readonly geo?: string | undefined;
  /** Names of counts that are not known. */
  readonly unknown?: readonly string[];
  /** The service tier that was billed; absent for the standard one. */
  readonly tier?: string | undefined;
}

type ToolCounts = Readonly<Record<ToolClass, number>>;

/** More tokens than any request can have. A larger count is an error and is not billed. */
const mostTokens = 100_000_000;

/**
 * OpenAI includes parts in their whole: cached tokens in the prompt, thinking in the answer. Here the classes are
 * disjoint.
 */
export function tokensOfChat(usage: Usage): CountedTokens {
  const { prompt_tokens_details: asked, completion_tokens_details: answered, other_models: otherModels } = usage;
  const prompt = wholeOf(usage.prompt_tokens);
  const parts = noParts();
  if (asked !== undefined) takePromptParts(prompt, asked, parts);
  const completion = wholeOf(usage.completion_tokens);
  if (answered !== undefined) takeAnswerParts(completion, answered, parts);
  const { server_tool_use: tools, unknown_classes: unknown, service_tier: tier, inference_geo: geo } = usage;
  const use: Use = counted(prompt, completion, parts);
  if (tools !== undefined) addTools(use, tools);
  if (otherModels !== undefined) addOthers(use, parts, otherModels);
  if (usage.search_units !== undefined) addSearchUnits(use, usage.search_units);
  if (geo !== undefined) use.geo = geo;
  if (unknown !== undefined) use.unknown = unknown;
  if (tier !== undefined) use.tier = tier;
  return use;
}

type Use = { -readonly [Name in keyof CountedTokens]: CountedTokens[Name] };

function takePromptParts(prompt: Whole, asked: NonNullable<Usage['prompt_tokens_details']>, parts: Parts): void {
  const read = { rest: takePart(prompt, asked.cached_tokens), adjusted: false };
  if (asked.cached_audio_tokens !== undefined) {
    parts.audioCacheRead = takePart(read, asked.cached_audio_tokens);
    prompt.adjusted ||= read.adjusted;
  }
  parts.cacheRead = read.rest;
  const written = { rest: takePart(prompt, asked.cache_write_tokens), adjusted: false };
  const lifetimes = asked.cache_write_tokens_details;
  if (lifetimes !== undefined) {
    parts.cacheWrite30m = takePart(written, lifetimes.ttl_30m_tokens);
    parts.cacheWrite1h = takePart(written, lifetimes.ttl_1h_tokens);
    parts.cacheWrite12h = takePart(written, lifetimes.ttl_12h_tokens);
    prompt.adjusted ||= written.adjusted;
  }
  parts.cacheWrite = written.rest;
  parts.compactionIn = takePart(prompt, asked.compaction_tokens);
  parts.toolPrompt = takePart(prompt, asked.tool_prompt_tokens);
  parts.imageIn = takePart(prompt, asked.image_tokens);
  parts.audioIn = takePart(prompt, asked.audio_tokens);
}

function takeAnswerParts(completion: Whole, said: NonNullable<Usage['completion_tokens_details']>, parts: Parts): void {
  parts.reasoning = takePart(completion, said.reasoning_tokens);
  parts.compactionOut = takePart(completion, said.compaction_tokens);
  parts.imageOut = takePart(completion, said.image_tokens);
  parts.audioOut = takePart(completion, said.audio_tokens);
}

/** More other models than any answer has. */
const mostOthers = 1_000;

function addOthers(use: Use, parts: Parts, reported: readonly OtherModelUsage[]): void {
  const others = reported.length > mostOthers ? reported.slice(0, mostOthers) : reported;
  use.otherModels = others;
  for (const other of others) addOther(parts, other);
  use.adjusted ||= others !== reported || others.some(({ usage }) => tokensOfChat(usage).adjusted);
}

function addOther(parts: Parts, { for: purpose, usage }: OtherModelUsage): void {
  const prompt = bounded(usage.prompt_tokens, mostTokens);
  const completion = bounded(usage.completion_tokens, mostTokens);
  if (purpose === 'advisor') {
    parts.advisorIn += prompt;
    parts.advisorOut += completion;
  } else {
    parts.imageToolIn += prompt;
    parts.imageToolOut += completion;
  }
}

const toolMembers = {
  webSearches: 'web_search_requests',
  webFetches: 'web_fetch_requests',
  codeSessions: 'code_interpreter_sessions',
  fileSearches: 'file_search_calls',
  groundingSearches: 'grounding_search_requests',
  groundingMaps: 'grounding_maps_requests',
  groundingImages: 'grounding_image_requests',
} satisfies Record<ToolClass, keyof ServerToolUse>;

/** More uses of a tool than any request can have. */
const mostUses = 100_000;

function addTools(use: Use, used: ServerToolUse): void {
  const counts: Partial<Record<ToolClass, number>> = {};
  for (const name of toolClasses) {
    const reported = used[toolMembers[name]] ?? 0;
    const count = bounded(reported, mostUses);
    counts[name] = count;
    use.adjusted ||= count !== reported;
  }
  use.tools = counts as ToolCounts;
}

/** More than any query with its documents has. */
const mostSearchUnits = 10_000;

function addSearchUnits(use: Use, reported: number): void {
  use.searchUnits = bounded(reported, mostSearchUnits);
  use.adjusted ||= use.searchUnits !== reported;
}

export function tokensOfImages(usage: ImagesUsage): CountedTokens {
  const prompt = wholeOf(usage.input_tokens);
  const parts = noParts();
  parts.imageIn = takePart(prompt, usage.input_tokens_details?.image_tokens);
  const completion = wholeOf(usage.output_tokens);
  parts.imageOut = takePart(completion, usage.output_tokens_details?.image_tokens);
  return counted(prompt, completion, parts);
}

/** As a vendor reports a response of a realtime session. Counts of cached tokens are parts of those of their kind. */
interface RealtimeUsage {
  readonly input: number;
  readonly audioIn: number;
  readonly imageIn: number;
  readonly cached: number;
  readonly cachedAudio: number;
  readonly cachedImage: number;
  readonly output: number;
  readonly audioOut: number;
  /** Thinking, a part of the output. */
  readonly reasoning?: number;
}

export function tokensOfRealtime(usage: RealtimeUsage): CountedTokens {
  const prompt = wholeOf(usage.input);
  const parts = noParts();
  const audio = { rest: takePart(prompt, usage.audioIn), adjusted: false };
  const image = { rest: takePart(prompt, usage.imageIn), adjusted: false };
  parts.audioCacheRead = takePart(audio, usage.cachedAudio);
  parts.imageCacheRead = takePart(image, usage.cachedImage);
  parts.audioIn = audio.rest;
  parts.imageIn = image.rest;
  parts.cacheRead = takePart(prompt, usage.cached - parts.audioCacheRead - parts.imageCacheRead);
  const answer = wholeOf(usage.output);
  parts.audioOut = takePart(answer, usage.audioOut);
  parts.reasoning = takePart(answer, usage.reasoning);
  const { tokens, adjusted } = counted(prompt, answer, parts);
  return { tokens, adjusted: adjusted || audio.adjusted || image.adjusted };
}

/** A count, of which parts are taken. */
interface Whole {
  rest: number;
  adjusted: boolean;
}

function wholeOf(count: number): Whole {
  const rest = bounded(count, mostTokens);
  return { rest, adjusted: rest !== count };
}

/** A part is at most what the earlier parts left of the whole. */
function takePart(whole: Whole, reported = 0): number {
  const part = bounded(reported, whole.rest);
  if (part !== reported) whole.adjusted = true;
  whole.rest -= part;
  return part;
}

type Parts = { -readonly [Name in keyof Tokens]: number };

/** One literal, because every request has one: all of them have the same members. */
const noParts = (): Parts => ({
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
  imageIn: 0,
  imageOut: 0,
  audioIn: 0,
  audioOut: 0,
  cacheWrite30m: 0,
  cacheWrite1h: 0,
  cacheWrite12h: 0,
  compactionIn: 0,
  compactionOut: 0,
  toolPrompt: 0,
  advisorIn: 0,
  advisorOut: 0,
  imageToolIn: 0,
  imageToolOut: 0,
  audioCacheRead: 0,
  imageCacheRead: 0,
});

function counted(prompt: Whole, completion: Whole, parts: Parts): CountedTokens {
  parts.input = prompt.rest;
  parts.output = completion.rest;
  return { tokens: parts, adjusted: prompt.adjusted || completion.adjusted };
}

const bounded = (count: number, most: number): number =>
  Number.isNaN(count) ? 0 : Math.min(Math.max(0, Math.round(count)), most);
