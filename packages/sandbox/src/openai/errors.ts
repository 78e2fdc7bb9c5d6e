import { jsonReply, type Reply } from '../answer.ts';

export interface ApiError {
  readonly status: number;
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

export const openAiErrorReply = (error: ApiError, headers: Record<string, string> = {}): Reply =>
  jsonReply(error.status, openAiErrorBody(error), headers);

export const openAiErrorBody = ({ message, type, param, code }: ApiError) => ({
  error: { message, type, param, code },
});

export const invalidRequest = (message: string, param: string | null, code: string | null = null): ApiError => ({
  status: 400,
  message,
  type: 'invalid_request_error',
  param,
  code,
});

export const notFound = (method: string, path: string): ApiError => ({
  ...invalidRequest(`Invalid URL (${method} ${path})`, null),
  status: 404,
});

export const notAllowed = (method: string, path: string): ApiError => ({
  ...invalidRequest(
    `Not allowed to ${method} on ${path} (HINT: Perhaps you meant to use a different HTTP method?)`,
    null,
    'method_not_supported',
  ),
  status: 405,
});

export const openAiUnknownModel = (model: string): ApiError => ({
  ...invalidRequest(`The model \`${model}\` does not exist or you do not have access to it.`, null, 'model_not_found'),
  status: 404,
});

export const bodyTooLarge = (maxBytes: number): ApiError => ({
  ...invalidRequest(`Request body is larger than ${maxBytes} bytes.`, null, 'request_too_large'),
  status: 413,
});
