import { natsLink } from '@tallyport/bus/nats';

/** Sends ten requests that do not end, and prints the error code of each: `node requester.ts <nats url>`. */
const link = await natsLink({ url: process.argv[2] ?? '', name: 'requester' });
for (let index = 0; index < 10; index++) {
  link
    .open('tp.s.replica.hold', { head: { requestId: 'r', timeoutMs: 60_000, headers: {} }, body: new Uint8Array(0) })
    .catch((error: { code: string }) => process.stdout.write(`${error.code}\n`));
}
process.stdout.write('sent\n');
