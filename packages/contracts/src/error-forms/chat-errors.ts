import { errorBody } from '../errors.ts';
import type { ErrorForm } from './error-form.ts';

/** Errors of the chat completions API. */
export const chatErrors: ErrorForm = {
  error: (error) => ({ status: error.status, body: errorBody(error) }),
  lastEvent: (error) => `data: ${JSON.stringify(errorBody(error))}\n\n`,
};
