/** A name for a call whose vendor gave none: unique in the answer and the same each time it is made. */
export const madeUpCallId = (completionId: string, call: number, choice = 0): string =>
  `call_${completionId.replace(/^chatcmpl-/, '')}_${choice}_${call}`;
