import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import manifest from '../../package.json' with { type: 'json' };
import { imageNames } from '../../scripts/release/repository.ts';
import { readAll, root } from './sources.ts';
import { type Job, problemsOf, type Workflow, workflows } from './workflows.ts';

const all = workflows();
const jobs = all.flatMap(({ path, jobs }) =>
  Object.entries(jobs).map(([name, job]) => ({ id: `${path}: ${name}`, job })),
);
const scripts = ({ steps }: Job): readonly string[] => steps.flatMap(({ run }) => run ?? []);
const workflow = (name: string): Workflow =>
  all.find(({ path }) => path.endsWith(`/${name}.yaml`)) ?? expect.fail(`There is no workflow ${name}.`);

describe.each(all)('$path', ({ path, text, permissions, concurrency }) => {
  test('is a workflow that GitHub accepts', async () => {
    expect(await problemsOf(path)).toEqual([]);
  });

  test('can only read unless a job needs more, and runs once per branch or tag', () => {
    expect(permissions).toEqual({ contents: 'read' });
    expect(concurrency?.group).toContain('${{ github.ref }}');
  });

  test('pins every action by its commit, with the version beside it', () => {
    const uses = text.match(/\buses: .*$/gm) ?? [];
    expect(uses.filter((line) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
    expect(uses.length).toBeGreaterThan(3);
  });

  test('names no account: what belongs to one is that of the repository', () => {
    const addresses = text.match(/\b[\w-]+(?:\.[\w-]+)*\.(?:io|com|dev|org)\b[^\s,}"']*/g) ?? [];
    expect(addresses.filter((address) => !/^(ghcr\.io(\/\$\{.*)?)$/.test(address))).toEqual([]);
  });
});

test('an unknown member and an unknown context are problems', async () => {
  const text = 'on: push\njobs:\n  one:\n    runs-on: any\n    steps: [{ rum: one }, { run: "${{ gihub.sha }}" }]\n';
  expect(await problemsOf('one.yaml', text)).toEqual([
    expect.stringContaining("Unexpected value 'rum'"),
    expect.stringContaining('Add one of these properties'),
    expect.stringContaining("Unrecognized named-value: 'gihub'"),
  ]);
});

test('every action has one version in all workflows', () => {
  const uses = new Set(all.flatMap(({ text }) => text.match(/(?<=\buses: ).*$/gm) ?? []));
  const names = [...uses].map((use) => use.split('@')[0]);
  expect(names.length).toBe(new Set(names).size);
});

describe.each(jobs)('the job $id', ({ id, job }) => {
  test('ends in time', () => {
    expect(job['timeout-minutes']).toBeLessThanOrEqual(id.includes('/nightly.yaml') ? 300 : 60);
  });

  test('may write only what it publishes', () => {
    const written = Object.entries(job.permissions ?? {}).flatMap(([name, access]) =>
      access === 'write' ? [name] : [],
    );
    expect({ [id]: written }).toEqual({ [id]: writers[id] ?? [] });
  });

  // An expression becomes part of the script before it runs: a title of a pull request would be code.
  test('has no expressions in its scripts, and leaves no token in the checkout', () => {
    expect(scripts(job).filter((script) => script.includes('${{'))).toEqual([]);
    const checkouts = job.steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.filter(({ with: given }) => given['persist-credentials'] !== false)).toEqual([]);
  });

  test('runs commands and files that exist', () => {
    const text = scripts(job).join('\n');
    const commands = [...text.matchAll(/\bnpm (?:run )?([a-z][a-z:-]*)/g)].map(([, name = '']) => name);
    expect(commands.filter((name) => !(name in manifest.scripts))).toEqual([]);
    const paths = text.match(/(?<=\s)(?:tests|packages|services|scripts|deploy|docs)\/[\w./-]+/g) ?? [];
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

const writers: Readonly<Record<string, readonly string[]>> = {
  '.github/workflows/release.yaml: images': ['packages'],
  '.github/workflows/release.yaml: signed-images': ['packages', 'id-token', 'attestations'],
  '.github/workflows/release.yaml: chart': ['packages', 'id-token', 'attestations'],
  '.github/workflows/release.yaml: publish': ['contents', 'id-token', 'attestations'],
};

describe('the release', () => {
  const { jobs } = workflow('release');
  const [dockerfile] = readAll('Dockerfile');

  test('builds and signs every image, for both processors', () => {
    expect(jobs['images']?.strategy?.matrix).toEqual({ image: imageNames(), processor: ['amd64', 'arm64'] });
    expect(jobs['signed-images']?.strategy?.matrix).toEqual({ image: imageNames() });
  });

  test('gives every image all of its labels', () => {
    const build = jobs['images']?.steps.find(({ uses }) => uses?.startsWith('docker/build-push-action@'));
    const given = String(build?.with['build-args']).matchAll(/^([A-Z]+)=/gm);
    const [, last = ''] = dockerfile?.text.split(/^FROM \$\{RUN_IMAGE\}$/m) ?? [];
    const declared = [...last.matchAll(/^ARG ([A-Z_]+)/gm)].map(([, name = '']) => name);
    expect([...given].map(([, name]) => name)).toEqual(declared.filter((name) => name !== 'RUN_IMAGE'));
  });
});

test('the checks run everything that a contributor runs, with Docker as well', () => {
  const commands = Object.values(workflow('check').jobs).flatMap(scripts);
  const expected = ['npm run check', 'npm run test:unit', 'npm test', 'docker version', 'npm run verify:deploy'];
  expect(commands).toEqual(expect.arrayContaining(expected));
});

test('what is too long for every change runs every night', () => {
  const { jobs, text } = workflow('nightly');
  expect(text).toMatch(/cron: '\d+ \d+ \* \* \*'/);
  expect(Object.values(jobs).flatMap(scripts)).toEqual(
    expect.arrayContaining(['npm run test:long', 'npm run mutate -- 60']),
  );
});

describe('updates of dependencies', () => {
  const updateSchema = z.object({
    'package-ecosystem': z.enum(['docker', 'docker-compose', 'github-actions', 'npm']),
    directory: z.string().optional(),
    directories: z.array(z.string()).default([]),
    schedule: z.object({ interval: z.literal('weekly') }),
    'open-pull-requests-limit': z.int().optional(),
    groups: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  });
  const [file] = readAll('.github/dependabot.yml');
  const { updates } = z
    .strictObject({ version: z.literal(2), updates: z.array(z.strictObject(updateSchema.shape)) })
    .parse(parse(file?.text ?? ''));

  test('find every lock file, and the files of the other kinds', () => {
    const lockFiles = readAll('{.,tools/toolchain/*}/{pnpm-lock.yaml,package-lock.json}').map(({ path }) =>
      `/${path}`.replace(/\/[^/]+$/, ''),
    );
    const npm = updates.find((update) => update['package-ecosystem'] === 'npm');
    expect(npm?.directories.toSorted()).toEqual(lockFiles.map((path) => path || '/').toSorted());
    const others = updates.filter(({ directory }) => directory === '/').map((update) => update['package-ecosystem']);
    expect(others).toEqual(['github-actions', 'docker', 'docker-compose']);
  });
});

test.for(readAll('.github/ISSUE_TEMPLATE/*.yml'))('$path is a form of an issue', ({ text }) => {
  const label = z.object({ label: z.string(), description: z.string().optional(), render: z.string().optional() });
  const field = z.strictObject({
    type: z.enum(['input', 'textarea']),
    attributes: z.strictObject(label.shape),
    validations: z.strictObject({ required: z.boolean() }).optional(),
  });
  const form = z.strictObject({
    name: z.string(),
    description: z.string(),
    labels: z.array(z.string()),
    body: z.array(field).min(1),
  });
  expect(form.safeParse(parse(text)).error).toBeUndefined();
});
