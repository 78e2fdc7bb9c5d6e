import { runSimulator } from '@switchyard/sandbox';
import { startSimulator } from './simulator.ts';

await runSimulator(startSimulator);
