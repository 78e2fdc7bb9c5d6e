import { randomUUID } from 'node:crypto';

/** Names one question, in its text and as the id of its request. */
export const newMark = (): string => `mark-${randomUUID()}`;

/** The last one: a continued response repeats the marks of those before it. */
export const markIn = (body: string): string | undefined => body.match(/mark-[0-9a-f-]{36}/g)?.at(-1);
