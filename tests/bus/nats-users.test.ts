import { createClient, type Link, type NatsUser, permissionsOf, serve } from '@tallyport/bus';
import { natsLink } from '@tallyport/bus/nats';
import { authService, catalogService, chatService, compositions, service } from '@tallyport/contracts';
import { connect, type NatsConnection } from 'nats';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { allUsers } from '../../deploy/nats/users.ts';
import { type NatsWithUsers, startNatsWithUsers } from '../support/nats-users.ts';

let nats: NatsWithUsers;

beforeAll(async () => {
  nats = await startNatsWithUsers();
});
afterAll(() => nats.stop());

async function open(user: NatsUser): Promise<{ link: Link; troubles: string[] }> {
  const troubles: string[] = [];
  const onTrouble = (event: string, detail: string) => void troubles.push(`${event} ${detail}`);
  const link = await natsLink({ url: nats.urlOf(user), name: user, onTrouble });
  onTestFinished(() => link.close());
  return { link, troubles };
}

/** A plain connection, as an intruder with the password of a service would open. */
async function connectAs(user: NatsUser): Promise<NatsConnection> {
  const { host } = new URL(nats.url);
  const connection = await connect({ servers: host, user, pass: `of ${user}` });
  onTestFinished(() => connection.close());
  return connection;
}

/** How the server answers a subscription or a message: without a word it allows them. */
async function refusalOf(user: NatsUser, act: (connection: NatsConnection) => void): Promise<string> {
  const connection = await connectAs(user);
  const refusals: string[] = [];
  void (async () => {
    for await (const { type, data } of connection.status()) if (type === 'error') refusals.push(String(data));
  })();
  act(connection);
  await connection.flush();
  await connection.flush();
  return refusals.join();
}

const refused = 'PERMISSIONS_VIOLATION';
const nothing = new Uint8Array(0);

test('services call each other, send notices and keep the journal with users of their own', async () => {
  const auth = await open('auth-svc');
  const chat = await open('chat-svc');
  const edge = await open('edge');
  const ledger = await open('ledger-svc');
  const heard: string[] = [];
  const appended: string[] = [];
  await serve(auth.link, service(authService.name, { providerKeys: authService.operations.providerKeys }), {
    providerKeys: async ({ accountId }) => ({ keys: [{ id: accountId, provider: 'openai', key: 'k' }] }),
  });
  await serve(chat.link, service(chatService.name, { complete: chatService.operations.complete }), {
    complete: async ({ body }) => ({ head: { status: 200, headers: {} }, body }),
  });
  createClient(edge.link, authService).accountChanged.subscribe(({ accountId }) => heard.push(accountId));
  const journal = await ledger.link.journals.consume('tp.j.auth.usage', async (entries) => {
    appended.push(...entries.map((entry) => Buffer.from(entry).toString()));
  });
  onTestFinished(() => journal.stop());

  const keys = await createClient(chat.link, authService).providerKeys({ accountId: 'a' });
  const head = { requestId: 'r', timeoutMs: 20_000, headers: {} };
  const body = Buffer.alloc(600_000, 'x');
  const answer = await createClient(edge.link, chatService).complete({ head, body });
  await expect
    .poll(() => createClient(auth.link, authService).accountChanged.publish({ accountId: 'b' }) ?? heard)
    .toContain('b');
  const entry = { id: 'e', bytes: Buffer.from('entry') };
  await expect.poll(() => chat.link.journals.append('tp.j.auth.usage', entry).then(() => 'stored')).toBe('stored');
  await expect.poll(() => appended).toContain('entry');
  expect(keys).toEqual({ keys: [{ id: 'a', provider: 'openai', key: 'k' }] });
  expect(Buffer.from(await answer.body.bytes(1_000_000)).equals(body)).toBe(true);
  expect([auth, chat, edge, ledger].flatMap(({ troubles }) => troubles)).toEqual([]);
});

test('an auth-svc of the release before and ledger-svc share the records of the journal', async () => {
  const readers = [await open('auth-svc'), await open('ledger-svc')];
  const chat = await open('chat-svc');
  const read: string[][] = readers.map(() => []);
  for (const [index, { link }] of readers.entries()) {
    const consumer = await link.journals.consume(
      'tp.j.auth.usage',
      async (entries) => void read[index]?.push(...entries.map((entry) => Buffer.from(entry).toString())),
      { maxBatch: 5 },
    );
    onTestFinished(() => consumer.stop());
  }
  const ids = Array.from({ length: 200 }, (_, index) => `shared ${String(index).padStart(3, '0')}`);
  for (const id of ids) await chat.link.journals.append('tp.j.auth.usage', { id, bytes: Buffer.from(id) });
  await expect
    .poll(() =>
      read
        .flat()
        .filter((id) => id.startsWith('shared '))
        .toSorted(),
    )
    .toEqual(ids);
  expect(Math.min(...read.map(({ length }) => length))).toBeGreaterThan(0);
  expect([...readers, chat].flatMap(({ troubles }) => troubles)).toEqual([]);
});

const subscribeTo = (subject: string, queue?: string) => (connection: NatsConnection) =>
  void connection.subscribe(subject, { ...(queue && { queue }), callback() {} });

test.each([
  ['answer the requests of another', 'tp.s.auth.serve', 'q'],
  ['listen to the requests of another', 'tp.s.auth.>', undefined],
  ['take requests for one instance of another', 'tp.d.auth.>', undefined],
  ['read the answers of another', 'tp.i.edge.>', undefined],
  ['read everything', '>', undefined],
  ['read the journal', 'tp.j.auth.usage', undefined],
])('chat-svc may not %s', async (_what, subject, queue) => {
  expect(await refusalOf('chat-svc', subscribeTo(subject, queue))).toBe(refused);
});

test('a command with the user of a service calls this service', async () => {
  const auth = await open('auth-svc');
  const command = await open('auth-svc');
  await serve(auth.link, service(authService.name, { listKeys: authService.operations.listKeys }), {
    listKeys: async () => ({ keys: [] }),
  });
  expect(await createClient(command.link, authService).listKeys({})).toEqual({ keys: [] });
  expect([...auth.troubles, ...command.troubles]).toEqual([]);
});

test('auth-svc may answer its own requests', async () => {
  expect(await refusalOf('auth-svc', subscribeTo('tp.s.auth.serve', 'q'))).toBe('');
});

test.each([
  ['call what it has no use for', 'tp.s.auth.createKey'],
  ['call that of one instance', 'tp.d.auth.auth-svc.x.createKey'],
  ['announce changes of accounts', 'tp.s.auth.accountChanged'],
  ['answer services that it does not talk with', 'tp.i.image-svc.x.y'],
  ['change the journal', '$JS.API.STREAM.UPDATE.tallyport-journal'],
  ['create a stream', '$JS.API.STREAM.CREATE.copy'],
  ['read the journal', '$JS.API.CONSUMER.MSG.NEXT.tallyport-journal.tp-j-auth-usage'],
])('chat-svc may not %s', async (_what, subject) => {
  expect(await refusalOf('chat-svc', (connection) => connection.publish(subject, nothing))).toBe(refused);
});

test('processes with several services serve each other and other services, and call them', async () => {
  const auth = await open('auth-svc');
  const mcp = await open('mcp-svc');
  const [full, free] = [await open('compact'), await open('compact')];
  const contract = service(chatService.name, { complete: chatService.operations.complete });
  const answering = (name: string) => ({
    complete: async () => ({ head: { status: 200, headers: {} }, body: Buffer.from(name) }),
  });
  await serve(full.link, contract, answering('full'), { maxConcurrent: 0 });
  await serve(free.link, contract, answering('free'));
  await serve(free.link, service(catalogService.name, { snapshot: catalogService.operations.snapshot }), {
    snapshot: async () => ({ version: 'v', models: [] }),
  });
  await serve(auth.link, service(authService.name, { databaseStatus: authService.operations.databaseStatus }), {
    databaseStatus: async () => ({ connected: true }),
  });
  const head = { requestId: 'r', timeoutMs: 20_000, headers: {} };
  const chats = [full, free, mcp].map(async ({ link }) => {
    const { body } = await createClient(link, chatService).complete({ head, body: Buffer.from('{}') });
    return Buffer.from(await body.bytes()).toString();
  });
  expect(await Promise.all(chats)).toEqual(['free', 'free', 'free']);
  expect(await createClient(auth.link, catalogService).snapshot({})).toEqual({ version: 'v', models: [] });
  expect(await createClient(full.link, authService).databaseStatus({})).toEqual({ connected: true });
  expect([auth, mcp, full, free].flatMap(({ troubles }) => troubles)).toEqual([]);
});

test.each([
  ['answer the requests of another', 'tp.s.auth.serve', 'q'],
  ['take requests for one instance of another', 'tp.d.ledger.>', undefined],
  ['read the answers of another', 'tp.i.edge.>', undefined],
  ['read the journal', 'tp.j.auth.usage', undefined],
])('compact may not %s', async (_what, subject, queue) => {
  expect(await refusalOf('compact', subscribeTo(subject, queue))).toBe(refused);
});

test.each([
  ['call what none of its services uses', 'tp.s.auth.createKey'],
  ['announce changes of accounts', 'tp.s.auth.accountChanged'],
  ['change the journal', '$JS.API.STREAM.UPDATE.tallyport-journal'],
])('compact may not %s', async (_what, subject) => {
  expect(await refusalOf('compact', (connection) => connection.publish(subject, nothing))).toBe(refused);
});

test('compact may do what its services may', () => {
  const users = compositions.compact.map((user) => permissionsOf(user, allUsers));
  const own = permissionsOf('compact', allUsers);
  const ofOthers = (subjects: readonly string[]) =>
    subjects.filter((subject) => !subject.startsWith('tp.i.')).toSorted();
  for (const kind of ['publish', 'subscribe'] as const) {
    const union = new Set(users.flatMap((permissions) => permissions[kind]));
    expect(ofOthers(own[kind])).toEqual(ofOthers([...union]));
  }
});

test('a service that poses as auth-svc receives no request', async () => {
  const real = await open('auth-svc');
  const posing = await open('chat-svc');
  const edge = await open('edge');
  const contract = service(authService.name, { databaseStatus: authService.operations.databaseStatus });
  await serve(real.link, contract, { databaseStatus: async () => ({ connected: true }) });
  await serve(posing.link, contract, { databaseStatus: async () => ({ connected: false }) }).catch(() => undefined);
  const ask = () => createClient(edge.link, authService).databaseStatus({});
  const answers = await Promise.all(Array.from({ length: 20 }, ask));
  expect(answers).toEqual(answers.map(() => ({ connected: true })));
  expect(posing.troubles.join()).toContain(refused);
});
