import { inspector } from './inspector.ts';
import { mcpRemote } from './mcp-remote.ts';
import type { McpProgram } from './program.ts';

export const mcpPrograms: readonly McpProgram[] = [inspector, mcpRemote];
