import { acceptedCallId } from '../accepted-call-id.ts';

/** The names of tools that the vendor accepts. */
export const claudeNames = /^[\w-]{1,128}$/;

const acceptedIds = /^[\w-]+$/;

/** The vendor accepts only letters, digits, `_` and `-` in call ids; ids of other vendors may contain more. */
export const toolUseId = (callId: string): string => acceptedCallId(callId, acceptedIds);
