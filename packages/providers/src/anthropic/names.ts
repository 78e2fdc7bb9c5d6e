/** The vendor takes letters, digits, `_` and `-` in the ids of calls; those of other vendors hold more. */
export const toolUseId = (callId: string): string =>
  callId.replaceAll(/[^\w-]/g, (character) => `_${(character.codePointAt(0) ?? 0).toString(16)}`);
