import {
  charactersOfMedia,
  contentHash,
  isObject,
  type JsonObject,
  objectsOf,
  promptTokenCount,
  type TokenCounts,
} from '@tallyport/sandbox';

/** The tokens that a request read from the cache and wrote to it, by lifetime. */
export interface PromptCacheUse {
  readonly read: number;
  readonly write5m: number;
  readonly write1h: number;
}

/** For a prompt without marks, which the question's directives decide. */
export const unmarkedCacheUse = ({ cacheRead, cacheWrite }: TokenCounts): PromptCacheUse => ({
  read: cacheRead,
  write5m: cacheWrite,
  write1h: 0,
});

/** The same tokens, of which the cache had some and got others. */
export function withCacheUse(spent: TokenCounts, { read, write5m, write1h }: PromptCacheUse): TokenCounts {
  const cacheWrite = write5m + write1h;
  const fresh = Math.max(0, promptTokenCount(spent) - read - cacheWrite);
  return { ...spent, fresh, cacheRead: read, cacheWrite };
}

/** What has been written, as a whole prefix of a prompt. */
export interface AnthropicCache {
  /** `undefined` if nothing that is long enough is marked. */
  use(body: JsonObject, scope: string): PromptCacheUse | undefined;
}

/** The answer to a request with marks depends on those before it. */
export const hasCacheMarks = ({ body }: { body: Buffer }): boolean =>
  body.includes('"cache_control"') || body.includes('"cachePoint"');

/** The shortest prefix that is cached. */
const leastTokens = 1_024;
/** How far before a mark an older prefix is found. */
const lookBack = 20;
const mostPrefixes = 10_000;

const lifetimes = { '5m': 300, '1h': 3_600 };
type Lifetime = keyof typeof lifetimes;

interface Prefix {
  /** Fingerprint of everything up to here. */
  readonly hash: string;
  readonly tokens: number;
  readonly mark: Lifetime | undefined;
}

/** `now` in seconds. A prefix is kept from its last use on. */
export function createAnthropicCache(now: () => number): AnthropicCache {
  const kept = new Map<string, { until: number; lifetime: Lifetime }>();
  const keep = (hash: string, lifetime: Lifetime): void => {
    kept.delete(hash);
    kept.set(hash, { until: now() + lifetimes[lifetime], lifetime });
    const oldest = kept.keys().next().value;
    if (kept.size > mostPrefixes && oldest !== undefined) kept.delete(oldest);
  };
  const find = (hash: string): Lifetime | undefined => {
    const found = kept.get(hash);
    return found !== undefined && found.until > now() ? found.lifetime : undefined;
  };
  return {
    use: (body, scope) => {
      const prefixes = prefixesOf(body, scope);
      const marked = prefixes.flatMap(({ mark, tokens }, at) =>
        mark !== undefined && tokens >= leastTokens ? [at] : [],
      );
      const last = marked.at(-1);
      if (last === undefined) return undefined;
      const near = prefixes.slice(0, last + 1).map(({ hash }, at) => (isNear(at, marked) ? find(hash) : undefined));
      const hit = near.findLastIndex((lifetime) => lifetime !== undefined);
      const found = prefixes[hit];
      const lifetime = near[hit];
      if (found !== undefined && lifetime !== undefined) keep(found.hash, lifetime);
      return write(
        found?.tokens ?? 0,
        marked.map((at) => prefixes[at]).filter((each) => each !== undefined),
        keep,
      );
    },
  };
}

const isNear = (at: number, marked: readonly number[]): boolean =>
  marked.some((mark) => at <= mark && mark - at <= lookBack);

function write(
  read: number,
  marks: readonly Prefix[],
  keep: (hash: string, lifetime: Lifetime) => void,
): PromptCacheUse {
  const written = { '5m': 0, '1h': 0 };
  let done = read;
  for (const { hash, tokens, mark = '5m' } of marks) {
    if (tokens <= read) continue;
    written[mark] += tokens - done;
    done = tokens;
    keep(hash, mark);
  }
  return { read, write5m: written['5m'], write1h: written['1h'] };
}

/** Tools come first, then the system prompt, then the messages. `cache_control` of the request marks the last block. */
function prefixesOf(body: JsonObject, scope: string): Prefix[] {
  const { tools, system, messages, cache_control: automatic } = body;
  const blocks: readonly JsonObject[] = [
    ...objectsOf(tools),
    ...blocksOf(system),
    ...objectsOf(messages).flatMap(({ role, content }) => blocksOf(content).map((block) => ({ role, ...block }))),
  ];
  let [hash, characters] = [scope, 0];
  return blocks.map(({ cache_control: own, ...block }, at) => {
    const mark = own ?? (at === blocks.length - 1 ? automatic : undefined);
    hash = contentHash(`${hash}\n${JSON.stringify(block)}`);
    characters += sizeOf(block);
    return { hash, tokens: Math.floor(characters / 4), mark: isObject(mark) ? lifetimeOf(mark) : undefined };
  });
}

const lifetimeOf = ({ ttl }: JsonObject): Lifetime => (ttl === '1h' ? '1h' : '5m');

const blocksOf = (content: unknown): readonly JsonObject[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content);

function sizeOf(block: JsonObject): number {
  if (typeof block.text === 'string') return block.text.length;
  return block.type === 'image' || block.type === 'document' ? charactersOfMedia : JSON.stringify(block).length;
}
