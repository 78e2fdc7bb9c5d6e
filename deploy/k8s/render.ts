import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

/** A program that renders a kustomization, with its first arguments. */
export type Renderer = readonly [string, ...string[]];

/** The program that renders kustomizations; `undefined` if none is installed. */
export function findRenderer(): Renderer | undefined {
  const candidates = [
    ['kubectl', 'kustomize'],
    ['kustomize', 'build'],
  ] as const;
  return candidates.find(([program, verb]) => {
    try {
      execFileSync(program, [verb, '--help'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
}

/** The resources of a folder beside this file, as `kubectl apply --kustomize` would apply them. */
export function renderFolder(folder: string, [program, ...words]: Renderer): readonly unknown[] {
  const path = fileURLToPath(new URL(folder, import.meta.url));
  const text = execFileSync(program, [...words, path], { encoding: 'utf8' });
  return parseAllDocuments(text).map((document): unknown => document.toJS());
}
