import { runSimulator } from '@tallyport/sandbox';
import { startSimulator } from './simulator.ts';

await runSimulator(startSimulator);
