import { hash } from 'node:crypto';
import type { InputLine } from '@tallyport/wire';
import type { InputPart } from './input-part.ts';
import { type CheckedLine, isProblem, type LineProblem, lineProblem } from './line-problem.ts';

export interface CheckedInput {
  parts: readonly InputPart[];
  total: number;
  /** Of the first line. */
  model: string | undefined;
}

/** Checks the lines of an input in their order. */
export interface InputCheck {
  /** Why the line cannot be in the batch; `undefined` if it can. */
  add(line: InputLine): LineProblem | undefined;
  checked(): CheckedInput;
}

interface InputRules {
  check(bytes: Buffer): CheckedLine | LineProblem;
  mostLines: number;
}

/** The first parts of a batch are small, so that replicas share one of a few hundred lines. */
const smallParts = 20;
const linesOfSmallPart = 100;
/** A vendor gets a batch for each part, and takes a limited number of them at a time. */
const linesOfLargePart = 1_000;
const bytesOfPart = 4 * 1024 ** 2;

const mostLinesOf = (parts: number): number => (parts > smallParts ? linesOfLargePart : linesOfSmallPart);

export function createInputCheck({ check, mostLines }: InputRules): InputCheck {
  /** Hashes: they are as long for each id. */
  const ids = new Set<string>();
  const parts: InputPart[] = [];
  let total = 0;
  let model: string | undefined;

  function addToPart({ number, start, end }: InputLine): void {
    const last = parts.at(-1);
    if (last === undefined || last.lines === mostLinesOf(parts.length) || end - last.start > bytesOfPart)
      parts.push({ start, end, firstLine: number, lastLine: number, lines: 1 });
    else Object.assign(last, { end, lastLine: number, lines: last.lines + 1 });
  }

  return {
    add(line) {
      if (total === mostLines) return lineProblem('too_many_lines', null, `A batch has at most ${mostLines} lines.`);
      const checked = check(line.bytes);
      if (isProblem(checked)) return checked;
      const id = hash('sha256', checked.customId, 'base64url');
      if (ids.has(id))
        return lineProblem(
          'duplicate_custom_id',
          'custom_id',
          'The custom_id is that of an earlier line. Make it unique.',
        );
      ids.add(id);
      total += 1;
      if (total === 1) model = checked.model;
      addToPart(line);
      return undefined;
    },
    checked: () => ({ parts, total, model }),
  };
}
