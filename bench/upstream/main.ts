import { once } from 'node:events';
import { listeningPort } from '../support/port.ts';
import { sendToParent } from '../support/messages.ts';
import type { UpstreamOrder } from './mode.ts';
import { createUpstream } from './server.ts';

const upstream = createUpstream();

process.on('disconnect', () => process.exit(0));
process.on('message', (order: UpstreamOrder) => {
  if (order.kind === 'report') return sendToParent(upstream.report());
  upstream.setMode(order.mode);
  sendToParent({ kind: 'set' });
});

upstream.server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
await once(upstream.server, 'listening');
sendToParent({ kind: 'ready', port: listeningPort(upstream.server) });
