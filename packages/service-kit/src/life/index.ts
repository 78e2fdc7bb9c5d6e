export { collectLessOften } from './collect-less-often.ts';
export { createKit } from './kit.ts';
export type { Kit, KitOptions } from './kit.ts';
export type { CheckResult, Part } from './part.ts';
export type { Readiness } from './readiness.ts';
export { runProcess } from './run-process.ts';
export type { ProcessOptions } from './run-process.ts';
export { StartError } from './start-error.ts';
export { within } from './within.ts';
