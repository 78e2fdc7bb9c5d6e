import { join } from 'node:path';

export const socketPath = (dataDirectory: string): string => join(dataDirectory, 'control', 'keys.sock');
