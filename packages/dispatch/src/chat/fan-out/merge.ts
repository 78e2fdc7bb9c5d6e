import { type Usage, mergedLongStrings } from '@tallyport/wire';
import type { PlainAnswer } from '../plain-answer.ts';

/** Merges the answers to the parts of one request. Members that occur once per answer are taken from the first. */
export function mergedAnswer([first, ...others]: readonly [PlainAnswer, ...PlainAnswer[]]): PlainAnswer {
  const answers = [first, ...others];
  const { usage: _first, ...completion } = first.completion;
  const choices = answers.flatMap((answer) => answer.completion.choices);
  const usages = answers.flatMap((answer) => answer.completion.usage ?? []);
  const usage = usages.length === answers.length ? summedUsage(usages) : undefined;
  return {
    completion: {
      ...completion,
      choices: choices.map((choice, index) => ({ ...choice, index })),
      ...(usage && { usage }),
    },
    longStrings: mergedLongStrings(answers.map(({ longStrings }) => longStrings)),
    ...(answers.some(({ usageAdjusted }) => usageAdjusted) && { usageAdjusted: true }),
  };
}

/** Adds up all calls: each is paid for, its prompt included. */
export function summedUsage(usages: readonly Usage[]): Usage {
  const prompt = summed(usages.map((usage) => usage.prompt_tokens_details));
  const completion = summed(usages.map((usage) => usage.completion_tokens_details));
  const costs = usages.flatMap(({ cost }) => cost ?? []);
  return {
    prompt_tokens: total(usages.map((usage) => usage.prompt_tokens)),
    completion_tokens: total(usages.map((usage) => usage.completion_tokens)),
    total_tokens: total(usages.map((usage) => usage.total_tokens)),
    ...(prompt && { prompt_tokens_details: prompt }),
    ...(completion && { completion_tokens_details: completion }),
    ...(costs.length === usages.length && { cost: total(costs) }),
  };
}

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** Sums each member; a member that no call reports is left out. */
function summed(
  details: readonly (Readonly<Record<string, number>> | undefined)[],
): Record<string, number> | undefined {
  const sums: Record<string, number> = {};
  for (const [name, count] of details.flatMap((each) => Object.entries(each ?? {}))) {
    sums[name] = (sums[name] ?? 0) + count;
  }
  return Object.keys(sums).length === 0 ? undefined : sums;
}
