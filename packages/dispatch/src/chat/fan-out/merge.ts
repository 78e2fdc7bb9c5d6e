import { mergedLongStrings } from '@tallyport/wire';
import type { PlainAnswer } from '../plain-answer.ts';
import { summedUsage } from './summed-usage.ts';

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
