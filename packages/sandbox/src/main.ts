import { runSimulator } from './command.ts';
import { startSandbox } from './sandbox.ts';

await runSimulator(startSandbox);
