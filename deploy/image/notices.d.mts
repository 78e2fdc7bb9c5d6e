export function packageFolders(store: string): readonly string[];
export function noticesOf(folders: readonly string[]): string;
