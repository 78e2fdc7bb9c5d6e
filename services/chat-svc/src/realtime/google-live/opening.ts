import { GatewayError } from '@tallyport/contracts';
import { within } from '@tallyport/service-kit';
import { socketMessagesIn } from '@tallyport/wire';
import type { ReadOpening } from '../opening.ts';
import { readLiveMessage } from './client-message.ts';
import { googleLiveDialect } from './dialect.ts';
import { readSetup } from './setup.ts';

/** An open socket without a session takes the place of one that could have one. */
const longestSetupMs = 30_000;

/** The client's first message names the model. */
export const readLiveOpening: ReadOpening = async ({ body }, mostMessageBytes) => {
  const incoming = socketMessagesIn(body, mostMessageBytes);
  const next = await within(incoming.next(), longestSetupMs);
  if (next === undefined) throw noSetup();
  if (next.done === true || next.value.kind === 'close') throw clientLeft();
  const message = readLiveMessage(next.value);
  if (message.kind !== 'setup') throw noSetup();
  const { model, speaks, event } = readSetup(message);
  return {
    type: 'realtime',
    model,
    call: { api: 'live', setup: next.value.bytes },
    dialect: googleLiveDialect({ speaks }),
    setup: event,
    incoming,
  };
};

const noSetup = (): GatewayError =>
  new GatewayError('invalid_parameters', 'The first message must be `setup`, within 30 seconds.', { param: 'setup' });

const clientLeft = (): GatewayError => new GatewayError('client_closed_request', 'The client left before its setup.');
