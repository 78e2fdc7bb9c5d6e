/** What goes back: whole, or as it comes. */
export interface McpAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | ReadableStream<Uint8Array>;
}

/** The library's answer in our words. */
export async function mcpAnswer(response: Response): Promise<McpAnswer> {
  const { status, body } = response;
  const headers = Object.fromEntries(response.headers);
  // The library's own; whether this connection stays is for Node to say.
  delete headers.connection;
  const isStream = headers['content-type']?.startsWith('text/event-stream') ?? false;
  return { status, headers, body: isStream && body !== null ? body : await response.text() };
}
