/** One event of JSON text, as bytes. JSON has no raw line breaks, so one `data:` line is enough. */
export const encodeSse = (json: string): Buffer => Buffer.from(`data: ${json}\n\n`);

/** The event that says: everything was sent. Clients stop reading here. */
export const sseDone = (): Buffer => Buffer.from('data: [DONE]\n\n');

/** A comment. Clients ignore it; proxies see that the connection lives. */
export const sseComment = (text = 'keep-alive'): Buffer => Buffer.from(`: ${text.replaceAll(/[\r\n]/g, ' ')}\n\n`);
