/** Part of the completion's id: enough to be unique, and the whole id stays within the 40 characters that OpenAI accepts. */
const longest = 24;

/** An id for a call without one: unique in the answer and the same every time it is generated. */
export const generatedCallId = (completionId: string, call: number, choice = 0): string =>
  `call_${completionId.replace(/^chatcmpl-/, '').slice(0, longest)}_${choice}_${call}`;
