import { openPglite } from './open-pglite.ts';

// Run as a process of its own by initialise.ts: `node initialise.main.ts <directory>`.
const directory = process.argv[2];
if (directory === undefined) throw new Error('usage: initialise.main.ts <directory>');
await (await openPglite(directory)).close();
