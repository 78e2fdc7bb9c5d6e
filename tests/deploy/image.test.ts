import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import manifest from '../../package.json' with { type: 'json' };
import { copyWorkspace } from '../../deploy/image/copy-package.mjs';
import { nodeArguments, nodeOptions, serviceEnvironment } from '../../scripts/launch/node-flags.mjs';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ');
const stages = dockerfile.split(/^(?=FROM )/m);
const last = stages.at(-1) ?? '';

test('the final image has no shell and does not run as root', () => {
  expect(/^ARG RUN_IMAGE=(.*)$/m.exec(dockerfile)?.[1]).toMatch(/^gcr\.io\/distroless\/[a-z0-9-]+:nonroot$/);
  expect(last).toMatch(/^FROM \$\{RUN_IMAGE\}$/m);
  expect(last.match(/^USER .*$/gm)).toEqual(['USER 65532:65532']);
  // The last stage has no shell to run commands; it only copies from the first stage.
  expect(last).not.toMatch(/^(RUN|ADD) /m);
  expect(last.match(/^COPY (?!--from=build ).*$/gm)).toBeNull();
});

test('the image has the labels of the OCI', () => {
  const labels = last.matchAll(/org\.opencontainers\.image\.([a-z.]+)="([^"]*)"/g);
  expect(Object.fromEntries([...labels].map(([, name, value]) => [name, value]))).toEqual({
    title: 'tallyport-${SERVICE}',
    description: 'Tallyport, a gateway in front of every model provider: ${SERVICE}',
    vendor: 'The Tallyport authors',
    licenses: manifest.license,
    version: '${VERSION}',
    revision: '${REVISION}',
    created: '${CREATED}',
    source: '${SOURCE}',
    url: '${SOURCE}',
    documentation: '${SOURCE:+${SOURCE}#readme}',
    'base.name': '${RUN_IMAGE}',
  });
  const declared = [...last.matchAll(/^ARG ([A-Z_]+)/gm)].map(([, name]) => name);
  const used = [...last.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name);
  expect([...new Set(declared)].toSorted()).toEqual([...new Set(used)].toSorted());
});

test('dependencies run no install scripts and have checksums', () => {
  const installs = dockerfile.match(/\b(npm ci|pnpm fetch|pnpm install)\b[^&;]*/g) ?? [];
  expect(installs).toHaveLength(3);
  expect(installs.filter((install) => !install.includes('--ignore-scripts'))).toEqual([]);
  const packages = z.record(z.string(), z.object({ resolution: z.object({ integrity: z.string().optional() }) }));
  const lock = z.object({ packages }).parse(parse(read('pnpm-lock.yaml')));
  const without = Object.entries(lock.packages).filter(([, { resolution }]) => resolution.integrity === undefined);
  expect(without.map(([name]) => name)).toEqual([]);
});

test('the image runs with the flags and settings of all services', () => {
  const flags = dockerfile.matchAll(/NODE_OPTIONS='([^']*)'/g).map(([, found]) => found);
  expect([...flags]).toEqual([nodeOptions.join(' ')]);
  const entryPoint: unknown = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(last)?.[1] ?? 'null');
  expect(entryPoint).toEqual(['/usr/local/bin/node', ...nodeArguments, '/app/start.mjs']);
  const set = Object.entries(serviceEnvironment).map(([name, value]) => `${name}=${value}`);
  expect(set.filter((each) => !last.includes(` ${each} `))).toEqual([]);
});

describe('the services as images have them', () => {
  const image = mkdtempSync(join(tmpdir(), 'image-'));
  beforeAll(() => copyWorkspace(fileURLToPath(new URL('../..', import.meta.url)), image));
  afterAll(() => rmSync(image, { recursive: true }));

  const ours = (pattern: string): string[] =>
    globSync(pattern, { cwd: image, exclude: ['**/node_modules'] }).toSorted();

  test('are JavaScript without tests', () => {
    expect(ours('{packages,services}/*/**/*.ts')).toEqual([]);
    expect(ours('{packages,services}/*/src/**/*.test.*')).toEqual([]);
    expect(ours('services/*/src/main.mjs')).toHaveLength(10);
  });

  test('load every module without the compiler for TypeScript', async () => {
    const isProgram = (path: string): boolean =>
      /\.(main|worker)\.mjs$/.test(path) || /^await run/m.test(readFileSync(join(image, path), 'utf8'));
    const modules = ours('{packages,services}/*/src/**/*.mjs').filter((path) => !isProgram(path));
    expect(modules.length).toBeGreaterThan(1000);
    const load = modules.map((path) => `await import('./${path}');\n`).join('');
    const file = join(image, 'load.mjs');
    writeFileSync(file, `${load}process.exit();\n`);
    await promisify(execFile)(process.execPath, ['--no-strip-types', file]);
  });

  test('find the programs and files they name', () => {
    const named = ours('{packages,services}/*/src/**/*.mjs').flatMap((path) =>
      [...readFileSync(join(image, path), 'utf8').matchAll(/new URL\('([^'$]+)', import\.meta\.url\)/g)].map(
        ([, name = '']) => join(path, '..', name),
      ),
    );
    expect(named).toContainEqual(expect.stringMatching(/postgres\.worker\.mjs$/));
    expect(named.filter((path) => !existsSync(join(image, path)))).toEqual([]);
  });
});

describe.concurrent('the health check', () => {
  const program = fileURLToPath(new URL('../../deploy/image/health.mjs', import.meta.url));

  /** Runs it while the admin server of a service answers like this. */
  async function checkWhile(answer: RequestListener): Promise<{ code: number; said: string }> {
    const server = createServer(answer).listen(0, '127.0.0.1');
    onTestFinished(() => server.close().closeAllConnections());
    await once(server, 'listening');
    return check(server.address() as AddressInfo);
  }

  async function check({ port }: { port: number }): Promise<{ code: number; said: string }> {
    const child = spawn(process.execPath, [program], {
      env: { ADMIN_PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const [code] = await once(child, 'close');
    return { code, said };
  }

  test('passes when the service is ready', async () => {
    const passed = await checkWhile((request, response) =>
      response.writeHead(request.url === '/readyz' ? 200 : 404).end(),
    );
    expect(passed).toEqual({ code: 0, said: '' });
  });

  test('fails with what the service says when it is not ready', async () => {
    const failed = await checkWhile((_request, response) => response.writeHead(503).end('{"ready":false}\n'));
    expect(failed).toEqual({ code: 1, said: '{"ready":false}\n' });
  });

  test('fails when the port is closed', async () => {
    expect(await check({ port: 1 })).toEqual({ code: 1, said: 'connect ECONNREFUSED 127.0.0.1:1\n' });
  });

  test('fails when the service does not answer within three seconds', async () => {
    expect(await checkWhile(() => {})).toEqual({ code: 1, said: 'No answer within 3000 ms.\n' });
  });
});
