import { type CountedTokens, tokensOfRealtime } from '@tallyport/pricing';

/** `usageMetadata` of one generation; `undefined` if it counts nothing. */
export function countedUsage(json: Buffer | undefined, { speaks }: { speaks: boolean }): CountedTokens | undefined {
  const usage = membersOf(parsed(json));
  const read = kindsIn(usage.promptTokensDetails, usage.toolUsePromptTokensDetails);
  const cached = kindsIn(usage.cacheTokensDetails);
  const written = kindsIn(usage.responseTokensDetails);
  const response = countOf(usage.responseTokenCount);
  const reasoning = countOf(usage.thoughtsTokenCount);
  const input = countOf(usage.promptTokenCount) + countOf(usage.toolUsePromptTokenCount);
  if (input + response + reasoning === 0) return undefined;
  const hasNoKinds = written.all === 0 && speaks;
  return tokensOfRealtime({
    input,
    audioIn: read.audio,
    imageIn: read.image,
    cached: countOf(usage.cachedContentTokenCount),
    cachedAudio: cached.audio,
    cachedImage: cached.image,
    output: response + reasoning,
    audioOut: hasNoKinds ? response : written.audio,
    reasoning,
  });
}

/** Tokens by kind: what the vendor gives no kind is text. Images and videos have one price. */
function kindsIn(...lists: readonly unknown[]): { all: number; audio: number; image: number } {
  const counts = { all: 0, audio: 0, image: 0 };
  for (const detail of lists.flatMap((list) => (Array.isArray(list) ? list.slice(0, mostKinds) : []))) {
    const { modality, tokenCount } = membersOf(detail);
    const count = countOf(tokenCount);
    counts.all += count;
    if (modality === 'AUDIO') counts.audio += count;
    if (modality === 'IMAGE' || modality === 'VIDEO') counts.image += count;
  }
  return counts;
}

/** More than there are. */
const mostKinds = 20;

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? { ...value } : {});

const countOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);

function parsed(json: Buffer | undefined): unknown {
  if (json === undefined) return undefined;
  try {
    return JSON.parse(json.toString());
  } catch {
    return undefined;
  }
}
