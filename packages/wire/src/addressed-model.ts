/** The members of a request whose address names the model, as in Azure's API. What is no object is left to its reader. */
export const withAddressedModel = (body: unknown, model: string | undefined): unknown =>
  model === undefined || typeof body !== 'object' || body === null || Array.isArray(body) ? body : { ...body, model };
