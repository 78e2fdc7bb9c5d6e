export { checkedRequest } from './checked-request.ts';
export type * from './description.ts';
export { endpointDescriptions } from './descriptions.ts';
export { defaultModerationModel, moderationRequest } from './moderations.ts';
