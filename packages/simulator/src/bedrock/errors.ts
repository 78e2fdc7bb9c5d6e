import { jsonReply, type Reply } from '@tallyport/sandbox';

export interface BedrockError {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

export type BedrockFinding = BedrockError | undefined;

export const bedrockInvalid = (message: string): BedrockError => ({
  status: 400,
  type: 'ValidationException',
  message,
});

export const denied = (type: string, message: string): BedrockError => ({ status: 403, type, message });

/** The error type is in a header; the body has only the message. */
export const bedrockErrorReply = ({ status, type, message }: BedrockError): Reply =>
  jsonReply(
    status,
    { message },
    {
      'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/com.amazon.bedrock/`,
      'x-amzn-requestid': requestId,
    },
  );

export const requestId = '00000000-0000-4000-8000-5151515151aa';
