import type { Agent } from './agent.ts';
import { claudeCode } from './clients/claude-code.ts';
import { codex } from './clients/codex.ts';
import { continueCli } from './clients/continue.ts';
import { copilotCli } from './clients/copilot.ts';
import { geminiCli } from './clients/gemini-cli.ts';
import { opencode } from './clients/opencode.ts';
import { pi } from './clients/pi.ts';
import { qwenCode } from './clients/qwen-code.ts';

export const agents: readonly Agent[] = [claudeCode, codex, continueCli, copilotCli, geminiCli, opencode, pi, qwenCode];
