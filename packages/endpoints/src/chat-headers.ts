import type { RequestHeader } from './description.ts';
import { routingHeaders } from './routing-members.ts';

/** The headers that endpoints that complete chats have in common. */
export const chatHeaders: readonly RequestHeader[] = [...routingHeaders, 'X-No-Cache'];
