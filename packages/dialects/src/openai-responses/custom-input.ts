import type { ResponsesCustomTool } from './tool-schema.ts';

/**
 * Custom tools take free text. Few vendors have such tools, so that a chat gets a function with the text as its only
 * parameter, and a call of it becomes a custom call again.
 */
export const customParameters = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
};

/** The grammar guides the model through the description: a function's parameters cannot hold it. */
export function customDescription({ description, format }: ResponsesCustomTool): string | undefined {
  if (format?.type !== 'grammar') return description ?? undefined;
  const grammar = `The input must match this ${format.syntax} grammar:\n${format.definition}`;
  return description ? `${description}\n\n${grammar}` : grammar;
}

export const argumentsOfInput = (input: string): string => JSON.stringify({ input });

/** Models make mistakes: arguments of another form are the input as they are. */
export function inputOfArguments(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    const input = typeof parsed === 'object' && parsed !== null && 'input' in parsed ? parsed.input : undefined;
    return typeof input === 'string' ? input : text;
  } catch {
    return text;
  }
}
