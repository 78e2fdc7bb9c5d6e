import { openPglite } from './open-pglite.ts';

// Run as a separate process by initialise.ts: `node initialise.main.ts <directory>`.
const directory = process.argv[2];
if (directory === undefined) throw new Error('usage: initialise.main.ts <directory>');
await (await openPglite(directory)).close();
