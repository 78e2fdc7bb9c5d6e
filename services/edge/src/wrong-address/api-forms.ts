import { chatErrors, type ErrorForm, geminiErrors, messagesErrors, responsesErrors } from '@tallyport/contracts';
import type { IncomingHttpHeaders } from 'node:http';

/** The APIs by the starts of their paths, the longer of two first. */
const starts: readonly { start: string; errors: ErrorForm }[] = [
  { start: '/anthropic', errors: messagesErrors },
  { start: '/v1/messages', errors: messagesErrors },
  { start: '/v1/responses', errors: responsesErrors },
  { start: '/v1/interactions', errors: geminiErrors },
  { start: '/v1beta/openai', errors: chatErrors },
  { start: '/v1beta', errors: geminiErrors },
];

/** The headers that only clients of an API send. */
const marks: readonly { header: string; errors: ErrorForm }[] = [
  { header: 'anthropic-version', errors: messagesErrors },
  { header: 'x-goog-api-key', errors: geminiErrors },
  { header: 'x-goog-api-client', errors: geminiErrors },
];

/** The form of errors of the API that a request is for, by its path or its client; `undefined` if neither says. */
export const formOfApi = (path: string, headers: IncomingHttpHeaders): ErrorForm | undefined =>
  starts.find(({ start }) => path === start || path.startsWith(`${start}/`))?.errors ??
  marks.find(({ header }) => headers[header] !== undefined)?.errors;
