import type { ExchangeHandler, Link } from '@tallyport/bus';
import { batchService, GatewayError } from '@tallyport/contracts';

export interface ServedFile {
  id: string;
  accountId: string;
  filename: string;
  mediaType: string;
  content: string | Buffer;
}

/** Takes the place of batch-svc, which needs a database: returns the contents of these files to their accounts. */
export async function serveFiles(link: Link, files: readonly ServedFile[]): Promise<void> {
  const fileContent: ExchangeHandler = async ({ head, body }) => {
    body.cancel();
    const file = files.find(
      ({ id, accountId }) => head.path === `${id}/content` && head.principal?.accountId === accountId,
    );
    if (file === undefined) throw new GatewayError('not_found', 'There is no such file.');
    const content = Buffer.from(file.content);
    return {
      head: {
        status: 200,
        headers: {
          'content-type': file.mediaType,
          'content-length': String(content.length),
          'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
        },
      },
      body: content,
      opaque: true,
    };
  };
  await link.listen({ service: batchService.name, version: '1.0.0', handlers: { fileContent }, options: {} });
}
