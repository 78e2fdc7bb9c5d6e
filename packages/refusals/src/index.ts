export { createRecordRefusal, type RecordRefusal } from './record-refusals.ts';
export { isRefusal, type RefusedRequest } from './refusal-record.ts';
export { refusalsPerMinute } from './refusal-sampler.ts';
