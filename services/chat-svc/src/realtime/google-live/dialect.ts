import { GatewayError, googleSessionErrors } from '@tallyport/contracts';
import type { RealtimeDialect } from '../dialect.ts';
import { liveEvent, readLiveMessage } from './client-message.ts';
import { createVendorReader } from './vendor-message.ts';

/** Google's Live API, behind the setup. */
export function googleLiveDialect({ speaks }: { speaks: boolean }): RealtimeDialect {
  const vendor = createVendorReader({ speaks });
  return {
    ...googleSessionErrors,
    readClient(message) {
      const read = readLiveMessage(message);
      if (read.kind === 'setup') throw secondSetup();
      const event = liveEvent(read);
      if (read.kind === 'clientContent' || read.kind === 'toolResponse') vendor.continues();
      return event;
    },
    readVendor: vendor.read,
    // Contents that ask for no answer interrupt the one that is written.
    cancel: () => JSON.stringify({ clientContent: { turnComplete: false } }),
  };
}

const secondSetup = (): GatewayError =>
  new GatewayError('invalid_parameters', 'A session has one `setup`. Open another one.', { param: 'setup' });
