import { inProcessLink, type Link, serve } from '@tallyport/bus';
import {
  authService,
  ledgerService,
  GatewayError,
  type ManageRequest,
  service,
  signVisitorToken,
  visitorTokenHeader,
} from '@tallyport/contracts';
import { createKit, createMetrics, readConfig, silentLog } from '@tallyport/service-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consoleConfig, consoleModule } from './module.ts';

const secret = 'a-secret-of-the-tests-with-32-characters';
const visitor = { address: '192.0.2.1', publicOrigin: 'https://gateway.example', requestId: 'req_1' };

const notFound = (): GatewayError => new GatewayError('not_found', 'This account does not exist.');

/** The answers that every page needs. */
function known(operation: string): Promise<never> | undefined {
  const account = { id: 'acme', name: 'Acme', createdAt: '2026-11-01T00:00:00.000Z', providerKeyMode: 'own_first' };
  const session = { userId: 'user_1', email: 'ada@example.com', csrfToken: 'csrf', operator: false, accounts: [] };
  const outputs: Readonly<Record<string, object>> = { readSession: session, readAccount: account };
  const caller = { accountId: 'acme', role: 'admin', operator: false };
  const output = outputs[operation];
  return output && (Promise.resolve({ output, caller, setCookie: [] }) as Promise<never>);
}

describe('console-svc', () => {
  let link: Link;
  let base: string;
  let metrics: ReturnType<typeof createMetrics>;
  let close: () => Promise<void>;
  let manage: (request: ManageRequest) => Promise<never>;
  beforeAll(async () => {
    link = inProcessLink();
    const { manage: operation } = authService.operations;
    for (const { name } of [authService, ledgerService])
      await serve(link, service(name, { manage: operation }), { manage: (request) => manage(request) });
    metrics = createMetrics({ defaults: false });
    const config = readConfig(consoleConfig, { environment: { CONSOLE_PORT: '0', INTERNAL_SECRET: secret } });
    const kit = createKit({ name: 'console-svc', config, log: silentLog(), metrics });
    const dashboard = consoleModule(kit, { link });
    await dashboard.start?.();
    base = dashboard.address();
    close = async () => {
      await dashboard.stop?.(1_000);
      await link.close();
    };
  });
  afterAll(() => close?.());

  const ask = (path: string, token = signVisitorToken(visitor, secret)) =>
    fetch(base + path, {
      redirect: 'manual',
      headers: { 'x-request-id': visitor.requestId, cookie: 'a=b', [visitorTokenHeader]: token },
    });

  test('refuses requests that edge did not sign', async () => {
    const answer = await ask('/dashboard', signVisitorToken(visitor, 'x'.repeat(32)));
    expect([answer.status, answer.headers.get('connection')]).toEqual([403, 'close']);
    expect(await answer.text()).toContain('set the same INTERNAL_SECRET at edge and console-svc');
  });

  test('passes on the cookie and where a request comes from, and asks to sign in without a session', async () => {
    const requests: ManageRequest[] = [];
    manage = (request) => {
      requests.push(request);
      return Promise.reject(new GatewayError('invalid_api_key', 'Sign in.'));
    };
    const answer = await ask('/dashboard/acme/keys?days=7');
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      '/sign-in?next=%2Fdashboard%2Facme%2Fkeys%3Fdays%3D7',
    ]);
    const { address, publicOrigin } = visitor;
    const request = { input: {}, cookie: 'a=b', account: 'acme', address, publicOrigin };
    expect(requests).toEqual(['readSession', 'readAccount'].map((operation) => ({ ...request, operation })));
  });

  test('shows an error page with a way on, and counts it', async () => {
    manage = () => Promise.reject(new GatewayError('unavailable', 'The database is away.', { retryAfterMs: 2_000 }));
    const answer = await ask('/dashboard/acme/analytics');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await answer.text()).toMatch(/The database is away\.[^]*<a href="\/dashboard">Open the dashboard<\/a>/);
    expect(await metrics.text()).toContain(
      'gateway_page_duration_seconds_count{section="analytics",status_class="5xx"} 1',
    );
    expect((await ask('/dashboard/acme/nothing')).status).toBe(404);
  });

  const away = () => Promise.reject(new GatewayError('unavailable', 'The database is away.'));

  test('sends the frame of a page that takes long before its content', async () => {
    const reading = Promise.withResolvers<void>();
    manage = ({ operation }) => known(operation) ?? reading.promise.then(away);
    const answer = await ask('/dashboard/acme/analytics');
    const parts = answer.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    const { value: frame } = await parts.next();
    expect(frame).toMatch(/<title>Analytics · Tallyport<[^]*href="\/dashboard\/acme\/overview"[^]*<main [^>]*>\s*$/);

    reading.resolve();
    const { value: content } = await parts.next();
    expect(content).toMatch(
      /The database is away\.[^]*<a href="\/dashboard\/acme\/analytics">[^]*<\/main>[^]*<\/html>/,
    );
    expect((await parts.next()).done).toBe(true);
    // It is counted as the failure it is.
    await expect
      .poll(() => metrics.text())
      .toContain('gateway_page_duration_seconds_count{section="analytics",status_class="5xx"} 2');
  });

  test.each(['requests?sort=cost&status=402', 'audit?q=ann'])(
    'sends the frame of %s before what it reads',
    async (path) => {
      const reading = Promise.withResolvers<void>();
      manage = ({ operation }) => known(operation) ?? reading.promise.then(away);
      const answer = await ask(`/dashboard/acme/${path}`);
      const parts = answer.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
      expect((await parts.next()).value).toMatch(/<main [^>]*>\s*$/);
      reading.resolve();
      expect((await parts.next()).value).toMatch(/The database is away\.[^]*<\/html>/);
    },
  );

  test('the address of alerts without the name of one leads to their list', async () => {
    manage = ({ operation }) => known(operation) ?? Promise.reject(notFound());
    const answer = await ask('/dashboard/acme/alerts');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard/acme/budgets']);
  });

  test('the status of a list says that the API refuses its filters', async () => {
    const sums = { requests: 0, failed: 0, tokens: 0, cost: '0', ownKeyCost: '0' };
    const outputs: Readonly<Record<string, object>> = {
      listEndUsers: { from: '2026-11-01', to: '2026-11-03', endUsers: [], others: sums },
      listKeys: { keys: [] },
      listProjects: { projects: [] },
      readUsageSeries: { interval: 'period', points: [] },
    };
    const refusal = new GatewayError('invalid_parameters', 'status must be a number from 100 to 599.');
    manage = ({ operation }) => {
      const output = outputs[operation];
      return (
        known(operation) ??
        (output ? (Promise.resolve({ output, setCookie: [] }) as Promise<never>) : Promise.reject(refusal))
      );
    };
    const answer = await ask('/dashboard/acme/requests?status=9999');
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringMatching(/role="alert">HTTP status must be a number from 100 to 599\.<[^]*<\/html>/),
    ]);
    expect((await ask('/dashboard/acme/audit?before=x')).status).toBe(400);
  });

  test('a page that takes long redirects and refuses before its frame is sent', async () => {
    manage = ({ operation }) => (operation === 'readSession' ? known(operation)! : Promise.reject(notFound()));
    expect((await ask('/dashboard/other/analytics')).status).toBe(404);
    manage = () => Promise.reject(new GatewayError('invalid_api_key', 'Sign in.'));
    expect((await ask('/dashboard/acme/overview')).status).toBe(303);
  });

  test('responds with 503 while auth-svc is away', async () => {
    const alone = inProcessLink();
    const config = readConfig(consoleConfig, { environment: { CONSOLE_PORT: '0', INTERNAL_SECRET: secret } });
    const kit = createKit({
      name: 'console-svc',
      config,
      log: silentLog(),
      metrics: createMetrics({ defaults: false }),
    });
    const dashboard = consoleModule(kit, { link: alone });
    await dashboard.start?.();
    const headers = { 'x-request-id': visitor.requestId, [visitorTokenHeader]: signVisitorToken(visitor, secret) };
    expect((await fetch(`${dashboard.address()}/dashboard`, { headers })).status).toBe(503);
    await dashboard.stop?.(1_000);
    await alone.close();
  });
});
