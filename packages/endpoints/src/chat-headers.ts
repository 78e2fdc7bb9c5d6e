import type { RequestHeader } from './description.ts';

/** The headers that endpoints that complete chats have in common. */
export const chatHeaders: readonly RequestHeader[] = ['X-Fallback-Models', 'X-Provider-Preferences', 'X-No-Cache'];
