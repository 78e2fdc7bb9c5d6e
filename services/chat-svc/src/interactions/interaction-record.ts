import type { ListedItem } from '@tallyport/dialects';
import type { EndedResponse } from '../responses/stored-responses.ts';

/** An interaction that has ended, as its client got it. */
interface EndedInteraction {
  id: string;
  interaction: Readonly<Record<string, unknown>>;
  /** The steps of its request alone. */
  input: readonly unknown[];
}

/** The same as the store of responses keeps it: its steps are the output. */
export function interactionRecord({ id, interaction, input }: EndedInteraction): Omit<EndedResponse, 'previous'> {
  const { steps, ...rest } = interaction;
  return { id, response: { ...rest, output: itemsOf(outputOf(steps)) }, input: itemsOf(input) };
}

/** A vendor may repeat what the client said. */
const outputOf = (steps: unknown): readonly unknown[] =>
  Array.isArray(steps) ? steps.filter((step) => !isObject(step) || step['type'] !== 'user_input') : [];

/** Steps have no ids, or those of calls. */
const itemsOf = (steps: readonly unknown[]): ListedItem[] => steps.map((step, at) => ({ id: `step_${at}`, step }));

export const storedSteps = (items: readonly ListedItem[]): unknown[] => items.map(({ step }) => step);

/** The interaction of a record, with steps that the caller may see. */
export function interactionOf(
  response: Readonly<Record<string, unknown>>,
  output: readonly ListedItem[],
): Record<string, unknown> {
  const { output: _steps, ...interaction } = response;
  return { ...interaction, steps: storedSteps(output) };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
