import { storable } from './storable.ts';

/** Why a line cannot be in a batch. */
export interface LineProblem {
  code: string;
  message: string;
  param: string | null;
}

/** What is known of a line that can be in a batch. */
export interface CheckedLine {
  customId: string;
  model: string | undefined;
}

export const lineProblem = (code: string, param: string | null, message: string): LineProblem => ({
  code,
  param: param && storable(param),
  message: storable(message),
});

export const isProblem = (checked: CheckedLine | LineProblem): checked is LineProblem => 'code' in checked;
