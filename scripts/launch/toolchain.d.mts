export function npmCi(home: string): Promise<{ code: number; output: string }>;
