import { type CountedTokens, tokensOfRealtime } from '@tallyport/pricing';
import { parsedJson } from '../../parsed-json.ts';
import { reportedCount, reportedMembers } from '../reported.ts';

/** `usageMetadata` of one generation; `undefined` if it counts nothing. */
export function countedUsage(json: Buffer | undefined, { speaks }: { speaks: boolean }): CountedTokens | undefined {
  const usage = reportedMembers(json && parsedJson(json));
  const read = kindsIn(usage.promptTokensDetails, usage.toolUsePromptTokensDetails);
  const cached = kindsIn(usage.cacheTokensDetails);
  const written = kindsIn(usage.responseTokensDetails);
  const response = reportedCount(usage.responseTokenCount);
  const reasoning = reportedCount(usage.thoughtsTokenCount);
  const input = reportedCount(usage.promptTokenCount) + reportedCount(usage.toolUsePromptTokenCount);
  if (input + response + reasoning === 0) return undefined;
  const hasNoKinds = written.all === 0 && speaks;
  return tokensOfRealtime({
    input,
    audioIn: read.audio,
    imageIn: read.image,
    cached: reportedCount(usage.cachedContentTokenCount),
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
    const { modality, tokenCount } = reportedMembers(detail);
    const count = reportedCount(tokenCount);
    counts.all += count;
    if (modality === 'AUDIO') counts.audio += count;
    if (modality === 'IMAGE' || modality === 'VIDEO') counts.image += count;
  }
  return counts;
}

/** More than there are. */
const mostKinds = 20;
