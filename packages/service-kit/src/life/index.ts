export { collectLessOften } from './collect-less-often.ts';
export { collectPassed } from './collect-passed.ts';
export { requireFreePorts } from './free-ports.ts';
export { createKit } from './kit.ts';
export type { Kit } from './kit.ts';
export { repeat } from './repeat.ts';
export { runProcess } from './run-process.ts';
export { StartError } from './start-error.ts';
