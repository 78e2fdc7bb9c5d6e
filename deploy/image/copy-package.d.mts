export function copyPackage(from: string, to: string): void;
export function copyWorkspace(workspace: string, to: string): void;
export function copyNeeded(from: string, to: string): void;
