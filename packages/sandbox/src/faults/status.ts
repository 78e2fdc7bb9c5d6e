import { jsonReply, piece, type Reply } from '../answer.ts';
import { FaultSyntaxError, faultNumber, type FaultKind, type FaultSpec } from './fault.ts';

/**
 * Answers with an error status and the family's body for it. `retry-after` in seconds, `retry-after-ms`, `code` for
 * another error code, `body=html` for a proxy's error page.
 */
export const statusKind: FaultKind = {
  name: 'status',
  usage: 'status:<code>[;retry-after=<s>][;retry-after-ms=<ms>][;code=<error code>][;body=html]',
  options: ['retry-after', 'retry-after-ms', 'code', 'body'],
  build: (spec) => {
    const status = faultNumber(spec, { minimum: 400, maximum: 599 });
    const { body, code, 'retry-after': retryAfter } = spec.options;
    if (body !== undefined && body !== 'html') throw new FaultSyntaxError("Fault 'status' accepts only body=html.");
    const options = { code, retryAfter: retryAfter === undefined ? undefined : Number(retryAfter) };
    return (_, dialect) => {
      const reply = body === 'html' ? htmlReply(status) : dialect.failure(status, options);
      return { ...reply, headers: { ...reply.headers, ...retryHeaders(spec) } };
    };
  },
};

function retryHeaders({ options }: FaultSpec): Record<string, string> {
  const names = ['retry-after', 'retry-after-ms'] as const;
  return Object.fromEntries(names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])));
}

function htmlReply(status: number): Reply {
  const page = `<html>\r\n<head><title>${status}</title></head>\r\n<body><center><h1>${status}</h1></center></body>\r\n</html>\r\n`;
  return {
    ...jsonReply(status, null, { 'content-type': 'text/html' }),
    pieces: [piece('body', page)],
  };
}
