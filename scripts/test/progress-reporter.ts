import { relative } from 'node:path';
import process from 'node:process';
import type { Reporter, SerializedError, TestCase, TestModule, TestSpecification, Vitest } from 'vitest/node';
import type { TestEvent } from './progress.ts';

/** Prints failures as they occur, and sends what has ended to `npm test`, which shows the progress of all parts. */
// oxlint-disable-next-line import/no-default-export -- Vitest loads it
export default class ProgressReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    send({ kind: 'files', count: specifications.length });
  }

  onTestModuleQueued({ moduleId }: TestModule): void {
    send({ kind: 'began', file: fileOf(moduleId) });
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    if (state === 'failed') this.#print(`${fileOf(test.module.moduleId)} > ${test.fullName}`, errors);
  }

  onTestModuleEnd(module: TestModule): void {
    const file = fileOf(module.moduleId);
    // Errors of the file and of its hooks belong to no test.
    this.#print(file, module.errors());
    for (const suite of module.children.allSuites()) this.#print(`${file} > ${suite.fullName}`, suite.errors());
    send({ kind: 'ended', file });
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    this.#print('an error outside of every test', errors);
  }

  #print(place: string, errors: readonly unknown[]): void {
    if (errors.length > 0) console.log(`\nFAILED ${place}`);
    for (const error of errors) this.#vitest?.logger.printError(error, { fullStack: true });
  }
}

const fileOf = (moduleId: string): string => relative(process.cwd(), moduleId);

const send = (event: TestEvent): void => void process.send?.(event);
