import { natsLink } from '@switchyard/bus';

/** Asks ten things that take for ever: `node requester.ts <nats url>`. */
const link = await natsLink({ url: process.argv[2] ?? '', name: 'requester' });
for (let index = 0; index < 10; index++) {
  link
    .open('sy.s.replica.hold', { head: { requestId: 'r', timeoutMs: 60_000, headers: {} }, body: new Uint8Array(0) })
    .catch(() => undefined);
}
process.stdout.write('asked\n');
