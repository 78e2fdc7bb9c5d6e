import { GatewayError, type Route } from '@tallyport/contracts';
import { checkRoute } from '@tallyport/routes';

const mostShown = 3;

/** Throws `invalid_parameters` with the members of a route that cannot be followed, such as a wrong condition. */
export function checkDefinition(route: Route): void {
  const problems = checkRoute(route);
  const [first] = problems;
  if (first === undefined) return;
  const shown = problems.slice(0, mostShown).map(({ param, message }) => `\`${param}\`: ${message}`);
  throw new GatewayError('invalid_parameters', shown.join(' '), { param: first.param });
}
