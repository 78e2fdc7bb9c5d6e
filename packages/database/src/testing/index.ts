export { openMigrated, type OpenTestDatabase, testDatabases } from './open-test-database.ts';
export { preparedDirectory } from './prepared-directory.ts';
export { startTcpRelay, type TcpRelay } from './tcp-relay.ts';
export { createEmptyDatabase, createTestDatabase, type TestDatabase } from './test-database.ts';
export { createTroubledDatabase, type Trouble, type TroubledDatabase, troubles } from './troubled-database.ts';
