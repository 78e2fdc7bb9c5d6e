import { GatewayError } from '@tallyport/contracts';
import type { ChatCompletion } from '@tallyport/wire';

/** Makes the opaque text of a summary. */
export type SealSummary = (summary: string) => string;

/** The longest that is sealed, in characters: far more than its tokens need. */
const longestSummary = 200_000;

/** Throws `upstream_error` unless a model has finished a summary. */
export function checkedSummary(text: string, isCut: boolean): string {
  if (isCut) throw noSummary('its answer was cut at its token limit or by its content filter');
  if (text.trim() === '') throw noSummary('it answered without text');
  if (text.length > longestSummary) throw noSummary(`it wrote more than ${longestSummary} characters`);
  return text;
}

export function finishedSummary({ choices: [choice] }: ChatCompletion): string {
  const finish = choice?.finish_reason;
  return checkedSummary(choice?.message.content ?? '', finish === 'length' || finish === 'content_filter');
}

const noSummary = (why: string): GatewayError =>
  new GatewayError(
    'upstream_error',
    `The model did not summarize the conversation: ${why}. Try again, or with another model.`,
  );
