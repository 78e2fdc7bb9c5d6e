import { setTimeout as pause } from 'node:timers/promises';
import { readHeld, readSums } from './books.ts';
import { compareBooks } from './invariants.ts';
import { startMoneySystem } from './system.ts';
import { runTrial } from './trial.ts';

/** `npm run soak`: the trial of the books at length. The first argument is the number of requests. */
const requests = Number(process.argv[2] ?? 10_000);
/** Until what waits in files is back and what killed processes had set aside is free again. */
const settleMs = 90_000;

const system = await startMoneySystem();
const trial = await runTrial(system, requests);
await pause(settleMs);
const findings = await compareBooks(system, trial);
const sums = await readSums(system);
const held = await readHeld(system);
await system.stop();
console.log(JSON.stringify({ requests, kills: trial.kills.length, ...findings, sums, held }, null, 2));
const { missing, twice, unbooked, unbilled, wrongCost } = findings;
const isRight = [missing, twice, unbooked, unbilled, wrongCost].every((found) => found.length === 0);
process.exit(isRight && held === 0 && sums.records === sums.days && sums.records === sums.hours ? 0 : 1);
