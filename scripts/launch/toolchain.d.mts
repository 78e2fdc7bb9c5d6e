import type { Progress } from './progress.d.mts';

export const nodeProgram: { install(progress: Progress): Promise<string> };

export function npmCi(home: string): Promise<{ code: number; output: string }>;
