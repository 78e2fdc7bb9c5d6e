import type { SteerEvent } from './client-event.ts';

/** The latest responses of a socket. */
export type KnownResponses = Map<string, 'running' | 'ended'>;

/**
 * No response is steered here: a vendor that writes a response over HTTP takes no further input for it. Clients send the
 * input again with their next request, as they do for models that cannot be steered.
 */
export function steerFailed({ previousResponse, input, inputText }: SteerEvent, known: KnownResponses): Buffer {
  const { code, message } = isInput(input) ? reasons[known.get(previousResponse) ?? 'unknown'] : reasons.wrongInput;
  const event = {
    type: 'response.steer.failed',
    sequence_number: 0,
    error: { type: 'invalid_request_error', code, message },
  };
  // Writing the input again would take as many calls as it has levels.
  const steer = `{"previous_response_id":${JSON.stringify(previousResponse)},"input":${inputText}}`;
  return Buffer.from(`${JSON.stringify(event).slice(0, -1)},"steer":${steer}}`);
}

/** A text, or messages of the user. */
const isInput = (input: unknown): boolean =>
  Array.isArray(input) ? input.length > 0 && input.every(isUserMessage) : typeof input === 'string' && input !== '';

const isUserMessage = (item: unknown): boolean =>
  typeof item === 'object' && item !== null && 'role' in item && item.role === 'user' && 'content' in item;

const reasons = {
  running: {
    code: 'steering_not_supported',
    message: 'Responses cannot be steered here. Send the input with the next response.create.',
  },
  ended: {
    code: 'response_already_completed',
    message: 'This response has ended. Continue it with response.create and previous_response_id.',
  },
  unknown: { code: 'response_not_found', message: 'No response with this id was created on this socket.' },
  wrongInput: { code: 'invalid_input', message: 'input: send a text or messages of the role "user".' },
} as const;
