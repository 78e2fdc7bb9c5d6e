const unnamed = Buffer.from('data: ');

/** What is in front of the data of an event. */
export const eventHead = (name: string | undefined): Buffer =>
  name === undefined ? unnamed : Buffer.from(`event: ${name}\ndata: `);

export const eventEnd = Buffer.from('\n\n');

/** Vendors may break JSON into lines. */
export const inLines = (json: string): string => json.replaceAll('\n', nextLine);

/** What is between two lines of data. */
export const nextLine = '\ndata: ';

/** One event of JSON text, as bytes. JSON has no raw line breaks, so one `data:` line is enough. */
export const encodeSse = (json: string): Buffer => Buffer.from(sseText(json));

/** The same as text, with the event's name if it has one. */
export const sseText = (json: string, event?: string): string =>
  event === undefined ? `data: ${json}\n\n` : `event: ${event}\ndata: ${json}\n\n`;

/** The event that ends a stream. Clients stop reading here. */
export const sseDone = (): Buffer => Buffer.from('data: [DONE]\n\n');

/** A comment. Clients ignore it; it keeps proxies from closing the connection. */
export const sseComment = (text = 'keep-alive'): Buffer => Buffer.from(`: ${text.replaceAll(/[\r\n]/g, ' ')}\n\n`);
