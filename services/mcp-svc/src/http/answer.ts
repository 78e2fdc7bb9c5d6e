/** A response to an MCP request, complete or streamed. */
export interface McpAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | ReadableStream<Uint8Array>;
}

/** Converts the MCP library's response. */
export async function mcpAnswer(response: Response): Promise<McpAnswer> {
  const { status, body } = response;
  const headers = Object.fromEntries(response.headers);
  // Set by the library, but Node manages the connection.
  delete headers.connection;
  const isStream = headers['content-type']?.startsWith('text/event-stream') ?? false;
  return { status, headers, body: isStream && body !== null ? body : await response.text() };
}
