import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const program = fileURLToPath(new URL('../testing/save-upload.ts', import.meta.url));
/** Mounts a file system that only this command sees. */
const mounted = (options: string, work: string, words: readonly string[]) =>
  spawnSync('unshare', ['-Urm', 'sh', '-c', `mount -t tmpfs -o ${options} none "$1" && ${work}`, 'sh', ...words], {
    encoding: 'utf8',
  });
const canMount = mounted('size=64k', 'true', [tmpdir()]).status === 0;

describe.skipIf(!canMount)('a file system', () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'tallyport-disk-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** `prepare` runs inside the file system first. */
  const save = (bytes: number, options: string, prepare = 'true'): unknown => {
    const work = `(cd "$1" && ${prepare}) && exec "$2" "$3" "$1" "$4"`;
    const { stdout, stderr } = mounted(options, work, [folder, process.execPath, program, String(bytes)]);
    return stdout === '' ? stderr : JSON.parse(stdout);
  };
  const failed = (cause: string, files: string[]) => ({
    outcome: 'failed',
    reason: `It could not be saved: ${cause}.`,
    files,
  });

  test('with room saves the image', () => {
    expect(save(30_000, 'size=64k')).toEqual({ outcome: 'saved', files: ['acc_1', 'acc_1/cat.png'] });
  });

  test('that fills up during the write keeps no part of the image', () => {
    expect(save(100_000, 'size=64k')).toEqual(failed("the server's disk is full", ['acc_1']));
  });

  test('without room for another file reports a full disk', () => {
    expect(save(1, 'size=64k,nr_inodes=2', 'mkdir acc_1')).toEqual(failed("the server's disk is full", ['acc_1']));
    expect(save(1, 'size=64k,nr_inodes=1')).toEqual(failed("the server's disk is full", []));
  });

  const readOnly = 'the server cannot write to its upload folder';
  test('that is read-only is reported, with or without an account folder', () => {
    expect(save(1, 'size=64k', 'mount -o remount,ro "$PWD"')).toEqual(failed(readOnly, []));
    const withFolder = 'mkdir acc_1 && cd / && mount -o remount,ro "$OLDPWD"';
    expect(save(1, 'size=64k', withFolder)).toEqual(failed(readOnly, ['acc_1']));
  });
});
