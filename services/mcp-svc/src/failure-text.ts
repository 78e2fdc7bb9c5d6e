import type { GatewayError } from '@tallyport/contracts';
import type { Tool } from './tool.ts';

interface FailureAdvice extends Pick<Tool, 'modelsFrom'> {
  /** In seconds. */
  retryAfter: number | undefined;
}

/**
 * Rewrites an HTTP API error for tool callers, who know no paths. Advice that the message already contains is not
 * repeated.
 */
export function failureText({ code, message, param }: GatewayError, { modelsFrom, retryAfter }: FailureAdvice): string {
  const parts = [code === 'rate_limit_exceeded' ? `Rate limited. ${message}` : message];
  if (param === 'model' && modelsFrom && !namesModels.test(message)) {
    parts.push(`${modelsFrom} lists the models you can call.`);
  }
  if (retryAfter !== undefined && !namesTime.test(message)) parts.push(`Retry after ${retryAfter} s.`);
  return parts.join(' ').replaceAll('GET /v1/models', modelsFrom ?? 'list-models');
}

const namesModels = /did you mean|GET \/v1\/models/i;
const namesTime = /try again in/i;
