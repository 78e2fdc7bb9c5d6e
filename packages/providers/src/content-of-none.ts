/**
 * The content of a message in which nothing was said: `null` where something else is the answer, as clients know it,
 * and an empty text otherwise, since they read it as text.
 */
export function contentOfNone(message: Readonly<Record<string, unknown>>): '' | null {
  const other = message.tool_calls ?? message.function_call ?? message.refusal ?? message.audio;
  return other === undefined || other === null ? '' : null;
}
