import { hash } from 'node:crypto';

/** A hash that identifies content. It is not for security. */
export const contentHash = (content: string | Buffer): string => hash('sha1', content, 'hex');
