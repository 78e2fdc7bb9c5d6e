import { credentialHeaders } from '../authenticate/credentials.ts';
import { createForward, type Forward, type ForwardOptions } from '../forward/forward.ts';
import { lastEvents } from './last-events.ts';
import { refuseMcp } from './refuse.ts';

/** Forwards `/mcp` to mcp-svc, without credentials: it gets the principal in the head. */
export const mcpForward = (options: Omit<ForwardOptions, 'withheld' | 'unreachable'>): Forward =>
  createForward({
    ...options,
    withheld: credentialHeaders,
    unreachable: {
      status: 502,
      message: 'The MCP service is not responding. Try again shortly.',
      send: refuseMcp,
      lastBytes: lastEvents,
    },
  });
