import { globSync, readFileSync } from 'node:fs';

/** Names with which a test starts a server, a database or a process. */
const names = [
  'TEST_(NATS|REDIS|DATABASE)_URL',
  'child_process',
  'createEmptyDatabase|createTestDatabase|createTroubledDatabase|databasesWithSecrets',
  'openAuth|openBatch|openBatchBench|openDatabase|openManagement|openMigrated|preparedDirectory|testDatabases',
  'runConformance|runMechanisms|runNode|runToEnd',
  'startChatReplicas|startNats|startPostgres|startProcessServer|startRedis|startRedisCluster|startSentinelGroup',
];
const starts = new RegExp(`\\b(${names.join('|')})\\b`);

interface TestFiles {
  include: readonly string[];
  exclude: readonly string[];
  root: string;
}

/** The files among these that start servers, databases or processes, which makes them slower than all others. */
export const serverTests = ({ include, exclude, root }: TestFiles): string[] =>
  globSync(include, { cwd: root, exclude }).filter((file) => starts.test(readFileSync(`${root}/${file}`, 'utf8')));
