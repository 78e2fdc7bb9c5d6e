import { type ChatQuestion, charactersPerToken, isObject, type JsonObject, objectsOf } from '@tallyport/sandbox';

export interface Compaction {
  readonly summary: string;
  /** The tokens of the compaction itself, which the usage of the answer does not include. */
  readonly input: number;
  readonly output: number;
  /** The prompt after it. */
  readonly left: number;
}

const usualTrigger = 150_000;
/** A summary has a tenth of the prompt. */
const share = 10;

/** Summarizes a prompt that has reached the trigger of `compact_20260112`. */
export function compactionOf(body: JsonObject, { lastText }: ChatQuestion, prompt: number): Compaction | undefined {
  const { context_management: management } = body;
  const edits = isObject(management) ? objectsOf(management.edits) : [];
  const edit = edits.find(({ type }) => type === 'compact_20260112');
  if (edit === undefined) return undefined;
  const trigger = isObject(edit.trigger) ? Number(edit.trigger.value) : usualTrigger;
  if (prompt < trigger) return undefined;
  const output = Math.ceil(prompt / share);
  const left = output + Math.ceil(lastText.length / charactersPerToken);
  return { summary: `A simulated summary of ${prompt} tokens.`, input: prompt, output, left };
}
