/** The vendor accepts only letters, digits, `_` and `-` in call ids; ids of other vendors may contain more. */
export const toolUseId = (callId: string): string =>
  (callId || 'call').replaceAll(/[^\w-]/g, (character) => `_${(character.codePointAt(0) ?? 0).toString(16)}`);
