export { ApplyError, applySteps } from './apply-plan.ts';
export { describeChanges, describeStep } from './describe-changes.ts';
export { gatewayJsonSchema, type SecretReference } from './document.ts';
export type { CallInAccount } from './call-in-account.ts';
export { type PreparedPlan, preparePlan } from './prepare-plan.ts';
export { type ReadGatewayDocument, readGatewayDocument } from './read-gateway-document.ts';
export type { NewSecret, PlanStep } from './plan-step.ts';
