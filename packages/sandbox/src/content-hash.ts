import { hash } from 'node:crypto';

/** A short name for some content: the same content, the same name. It protects no secret. */
export const contentHash = (content: string | Buffer): string => hash('sha1', content, 'hex');
