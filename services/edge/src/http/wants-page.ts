import type { IncomingMessage } from 'node:http';

/** Browsers put HTML first when they open a page; programs hardly ever list it. */
export const wantsPage = ({ headers }: IncomingMessage): boolean => headers.accept?.startsWith('text/html') ?? false;
