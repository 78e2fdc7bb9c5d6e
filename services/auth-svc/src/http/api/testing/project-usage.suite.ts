import type { UsageRecord } from '@tallyport/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usageRecord } from '../../../../../ledger-svc/src/usage/testing/usage-record.ts';
import type { Answer, OpenedManagement } from './open-management.ts';
import { type Person, signUp } from './person.ts';

const period = 'from=2026-11-20&to=2026-11-21';

export function describeProjectUsage(open: () => Promise<OpenedManagement>): void {
  describe('usage of projects', () => {
    let management: OpenedManagement;
    let admin: string;
    let member: Person;
    let project: string;
    let own: string;
    let others: string;
    const of = (changes: Partial<UsageRecord>): UsageRecord => usageRecord({ accountId: 'default', ...changes });

    beforeAll(async () => {
      management = await open();
      admin = (await management.makeKey({ admin: true })).key;
      const invitation = await management.ask('POST', '/invitations', { key: admin, body: { email: 'm@example.com' } });
      member = await signUp(management, invitation.body);
      project = (await management.ask('POST', '/projects', { key: admin, body: { name: 'search' } })).body.id;
      own = (await member.ask('POST', '/keys', { name: 'mine' })).body.record.id;
      others = (await management.makeKey()).record.id;
      // The key is moved into the project, and out of it, within an hour.
      await management.ledger.write([
        of({ keyId: own, at: '2026-11-20T10:05:00.000Z', model: 'small', cost: '1', durationMs: 100 }),
        of({
          keyId: own,
          at: '2026-11-20T10:15:00.000Z',
          model: 'small',
          cost: '2',
          durationMs: 800,
          projectId: project,
        }),
      ]);
      await management.ledger.write([
        of({ keyId: own, at: '2026-11-20T10:25:00.000Z', model: 'small', cost: '4', durationMs: 100 }),
        of({ keyId: others, at: '2026-11-21T11:00:00.000Z', model: 'large', cost: '8', projectId: project }),
        of({ keyId: others, at: '2026-11-21T11:00:00.000Z', model: 'large', cost: '16', projectId: 'deleted' }),
        of({ keyId: others, at: '2026-11-21T11:00:00.000Z', model: 'large', cost: '0', endReason: 'error', error: 'upstream_timeout', projectId: project }), // prettier-ignore
      ]);
    });
    afterAll(() => management.close());

    const ask = async (path: string) => (await management.ask('GET', path, { key: admin })).body;
    const groups = async (query: string, by: (path: string) => Promise<Answer['body']> = ask) =>
      (await by(`/usage?${period}&${query}`)).groups.map(({ group, requests, cost }: Record<string, string>) => [
        group,
        requests,
        cost,
      ]);
    const asMember = async (path: string) => (await member.ask('GET', path)).body;

    it('is grouped by the project at the time of a request, and the rest has an empty group', async () => {
      expect(await groups('group_by=project')).toEqual([
        ['deleted', 1, '16'],
        [project, 3, '10'],
        ['', 2, '5'],
      ]);
    });

    it.each<[string, () => string, (string | number)[][]]>([
      [
        'of a project',
        () => project,
        [
          ['large', 2, '8'],
          ['small', 1, '2'],
        ],
      ],
      ['of none', () => 'none', [['small', 2, '5']]],
      ['of an unknown one', () => 'unknown', []],
    ])('is filtered: %s', async (_what, id, expected) => {
      expect(await groups(`group_by=model&project=${id()}`)).toEqual(expected);
    });

    it('is a series, also by a second dimension', async () => {
      const { points } = await ask(`/usage/series?${period}&interval=hour&by=project&then_by=key`);
      expect(points.map(({ at, project: of, key, cost }: Record<string, string>) => [at, of, key, cost])).toEqual(
        [
          ['2026-11-20T10:00:00Z', '', own, '5'],
          ['2026-11-20T10:00:00Z', project, own, '2'],
          ['2026-11-21T11:00:00Z', 'deleted', others, '16'],
          ['2026-11-21T11:00:00Z', project, others, '8'],
        ].toSorted(([one = '', of = ''], [other = '', and = '']) => (`${one}${of}` < `${other}${and}` ? -1 : 1)),
      );
    });

    it('has latencies and errors', async () => {
      const latency = await ask(`/usage/latency?${period}&by=project&key=${own}`);
      expect(latency.groups).toMatchObject([
        { group: '', durationMs: { count: 2 } },
        { group: project, durationMs: { count: 1 } },
      ]);
      const before = 'before_from=2026-11-20&before_to=2026-11-20';
      const both = await ask(`/usage/latency?from=2026-11-21&to=2026-11-21&by=day&${before}&project=${project}`);
      expect([both.total, both.before]).toMatchObject([
        { durationMs: { count: 1 } },
        { durationMs: { count: 1, p50: expect.closeTo(800, -2) } },
      ]);
      expect(latency).not.toHaveProperty('before');
      const turned = await ask('/usage/latency?before_from=2026-11-21&before_to=2026-11-20');
      expect(turned.error).toMatchObject({ code: 'invalid_parameters' });
      expect((await ask(`/usage/errors?${period}&by=project`)).errors).toEqual([
        { code: 'upstream_timeout', group: project, requests: 1 },
      ]);
    });

    it('is exported with the project, and only of one', async () => {
      const response = await fetch(`${management.address}/usage/export?${period}&project=${project}`, {
        headers: { authorization: `Bearer ${admin}` },
      });
      const lines = (await response.text())
        .trimEnd()
        .split('\r\n')
        .map((line) => line.split(','));
      const column = lines[0]?.indexOf('project_id') ?? -1;
      expect(lines.slice(1).map((cells) => cells[column])).toEqual([project, project, project]);
    });

    it('consists of requests, which name their project', async () => {
      const listed = async (of: string) =>
        (await ask(`/requests?from=2026-11-20T00:00:00Z&project=${of}`)).requests.map(
          ({ projectId, cost }: Record<string, string>) => [projectId, cost],
        );
      expect((await listed(project)).toSorted()).toEqual([
        [project, '0'],
        [project, '2'],
        [project, '8'],
      ]);
      expect(await listed('none')).toEqual([
        [undefined, '4'],
        [undefined, '1'],
      ]);
    });

    it('is spent of the budget that the project shows', async () => {
      const body = { budget: { amount: '12', period: 'total' } };
      await management.ask('PATCH', `/projects/${project}`, { key: admin, body });
      expect(await ask(`/projects/${project}`)).toMatchObject({ spent: '10', left: '2' });
    });

    it('is seen by members only of their keys, until they are admins of the project', async () => {
      const listed = async () =>
        (await asMember(`/requests?from=2026-11-20T00:00:00Z&project=${project}`)).requests.map(
          ({ cost }: { cost: string }) => cost,
        );
      const [first] = (await ask(`/requests?from=2026-11-20T00:00:00Z&project=${project}&model=large`)).requests;
      const inProject = `group_by=model&project=${project}`;
      expect(await groups(inProject, asMember)).toEqual([['small', 1, '2']]);
      expect(await listed()).toEqual(['2']);
      expect((await member.ask('GET', `/requests/${first.id}`)).status).toBe(404);
      for (const role of ['member', 'admin']) {
        const body = { userId: member.userId, role };
        await management.ask('POST', `/projects/${project}/members`, { key: admin, body });
        const isAdmin = role === 'admin';
        expect(await groups(inProject, asMember)).toHaveLength(isAdmin ? 2 : 1);
        expect(await listed()).toHaveLength(isAdmin ? 3 : 1);
        expect((await member.ask('GET', `/requests/${first.id}`)).status).toBe(isAdmin ? 200 : 404);
      }
      expect(await groups('group_by=project', asMember)).toEqual([
        ['', 2, '5'],
        [project, 1, '2'],
      ]);
    });
  });
}
