/**
 * The content of a message without text: `null` if the message has something else, as OpenAI sends it, and otherwise an
 * empty string, because clients read it as text.
 */
export function emptyContent(message: Readonly<Record<string, unknown>>): '' | null {
  const other = message.tool_calls ?? message.function_call ?? message.refusal ?? message.audio;
  return other === undefined || other === null ? '' : null;
}
