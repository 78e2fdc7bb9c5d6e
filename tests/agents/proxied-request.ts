/** A request of an agent, and how the gateway answered it. */
export interface ProxiedRequest {
  method: string;
  path: string;
  body: string;
  /** 0 while there is no answer. */
  status: number;
  /** The body of an answer with a status from 400. */
  refusal?: string;
}
