/** An id for a call without one: unique in the answer and the same every time it is generated. */
export const generatedCallId = (completionId: string, call: number, choice = 0): string =>
  `call_${completionId.replace(/^chatcmpl-/, '')}_${choice}_${call}`;
