import type { GatewayError } from '../errors.ts';
import type { ErrorForm } from './error-form.ts';
import { geminiErrorBody, geminiErrors } from './gemini-errors.ts';

/** Errors of Google's Interactions API: those of the Gemini API, with an event of its own in streams. */
export const interactionsErrors: ErrorForm = {
  error: geminiErrors.error,
  lastEvent(error) {
    const event = { event_type: 'error', error: lateInteractionError(error) };
    return `event: error\ndata: ${JSON.stringify(event)}\n\n`;
  },
};

/** The error of an interaction that failed after its first byte. */
export function lateInteractionError(error: GatewayError): { code: string; message: string } {
  const { status, message } = geminiErrorBody(error).error;
  return { code: status, message };
}
