import { once } from 'node:events';
import { listeningPort } from '../support/port.ts';
import { tellParent } from '../support/messages.ts';
import type { UpstreamOrder } from './mode.ts';
import { createUpstream } from './server.ts';

const upstream = createUpstream();

process.on('disconnect', () => process.exit(0));
process.on('message', (order: UpstreamOrder) => {
  if (order.kind === 'report') return tellParent(upstream.report());
  upstream.setMode(order.mode);
  tellParent({ kind: 'set' });
});

upstream.server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
await once(upstream.server, 'listening');
tellParent({ kind: 'ready', port: listeningPort(upstream.server) });
